package dev.postcommit.testkit.process;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server that is one process; its port and data outlive the process. */
public abstract class ProcessServer implements ControlledServer {
  private static final Logger log = LoggerFactory.getLogger(ProcessServer.class);

  private static final Duration START_TIMEOUT = Duration.ofSeconds(90);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  private final String name;
  private final Guard guard;
  private final boolean shared;
  private final int port = Ports.free();
  private @Nullable GuardedProcess process;
  private boolean closed;

  /**
   * Creates a server that is not running yet.
   *
   * @param name its name in messages, as Kafka
   * @param guard ends the server with this JVM
   * @param shared whether {@link #close} does nothing
   */
  protected ProcessServer(String name, Guard guard, boolean shared) {
    this.name = name;
    this.guard = guard;
    this.shared = shared;
  }

  /** Runs the program. */
  protected abstract GuardedProcess run(Guard in);

  /** Returns whether it answers clients. */
  protected abstract boolean serves();

  /** Returns the port it listens on. */
  public final int port() {
    return port;
  }

  /** Runs the program and returns when it serves clients. */
  public final synchronized void launch() {
    long begin = System.nanoTime();
    GuardedProcess started = run(guard);
    process = started;
    while (!serves()) {
      boolean ended = started.awaitExit(POLL_INTERVAL);
      if (ended || System.nanoTime() - begin > START_TIMEOUT.toNanos()) {
        String tail = started.outputTail();
        started.kill();
        throw new IllegalStateException(
            "%s did not start on port %d:%n%s".formatted(name, port, tail));
      }
    }
    log.info("{} serves port {} after {} ms", name, port, (System.nanoTime() - begin) / 1_000_000);
  }

  @Override
  public final synchronized void stop() {
    process().end(Signal.TERM, STOP_TIMEOUT);
    log.info("{} on port {} stopped", name, port);
  }

  @Override
  public final synchronized void kill() {
    process().kill();
    log.info("{} on port {} killed", name, port);
  }

  @Override
  public final synchronized void restart() {
    if (closed) {
      throw new IllegalStateException("%s on port %d is closed".formatted(name, port));
    }
    process().end(Signal.TERM, STOP_TIMEOUT);
    launch();
  }

  @Override
  public final synchronized void freeze() {
    process().freeze();
  }

  @Override
  public final synchronized void thaw() {
    process().signal(Signal.CONT);
  }

  @Override
  public final synchronized void close() {
    if (!closed && !shared) {
      closed = true;
      // Its data is deleted, too, so a clean shutdown is not needed.
      if (process != null) {
        process.kill();
      }
      guard.close();
      log.info("{} on port {} closed", name, port);
    }
  }

  private GuardedProcess process() {
    return Objects.requireNonNull(process, "a server that was not launched");
  }
}
