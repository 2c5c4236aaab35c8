package dev.postcommit.spring.relay;

import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Relay;
import dev.postcommit.spring.WakeUp;
import dev.postcommit.support.LogContext;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Starts and stops the relay with the application.
 *
 * <p>Spring may stop and restart an application, but a relay runs only once, so each start creates
 * a new one.
 */
final class RelayLifecycle implements SmartLifecycle {

  /**
   * Starts before the web server and everything else that takes requests, and stops after it, so
   * that the events of the last requests are delivered too.
   */
  static final int PHASE = DEFAULT_PHASE - 4096;

  private static final Logger log = LoggerFactory.getLogger(RelayLifecycle.class);

  private final Function<RelayStatus, Relay> relays;
  private final Layout layout;
  private final WakeUp wakeUp;
  private volatile @Nullable Run run;

  /** One run of a relay, and its status. */
  private record Run(Relay relay, RelayStatus status) {}

  RelayLifecycle(Function<RelayStatus, Relay> relays, Layout layout, WakeUp wakeUp) {
    this.relays = relays;
    this.layout = layout;
    this.wakeUp = wakeUp;
  }

  @Override
  public synchronized void start() {
    if (run == null) {
      LogContext.with(
          Map.of(LogContext.TABLE, layout.table().toString()),
          () -> {
            RelayStatus status = new RelayStatus();
            Run next = new Run(relays.apply(status), status);
            next.relay().start();
            run = next;
            wakeUp.call(next.relay());
            log.info("relaying from {} ({} layout)", layout.table(), layout.name());
          });
    }
  }

  @Override
  public synchronized void stop() {
    @Nullable Run last = run;
    if (last != null) {
      wakeUp.call(null);
      last.relay().close();
      run = null;
    }
  }

  @Override
  public boolean isRunning() {
    return run != null;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }

  /** The relay's state. */
  Relay.State state() {
    @Nullable Run current = run;
    return current == null ? Relay.State.STOPPED : current.relay().state();
  }

  /** Whether its database, broker and standbys can be used. */
  RelayStatus status() {
    @Nullable Run current = run;
    return current == null ? new RelayStatus() : current.status();
  }
}
