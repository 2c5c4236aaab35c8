package dev.postcommit.internal.relay;

import dev.postcommit.internal.LogText;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.store.OutboxAdmin.Pause;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether an operator has paused the table, as seen last; reports each change once. */
final class PauseState {
  private static final Logger log = LoggerFactory.getLogger(PauseState.class);

  private final RelayListener listener;
  private @Nullable Pause pause;
  private boolean known;

  PauseState(RelayListener listener) {
    this.listener = listener;
  }

  /** Whether it has been read yet. */
  synchronized boolean isKnown() {
    return known;
  }

  /** Whether it is known that there is no pause. */
  synchronized boolean allowsClaims() {
    return known && pause == null;
  }

  synchronized boolean isPaused() {
    return pause != null;
  }

  /** Notes what was found; returns whether it is news. */
  synchronized boolean found(Optional<Pause> now) {
    boolean news = !known || now.isPresent() != isPaused();
    boolean wasPaused = isPaused();
    known = true;
    pause = now.orElse(null);
    if (pause != null && !wasPaused) {
      String reason = reason(pause);
      log.info("paused {}; nothing is claimed until it is resumed", LogText.line(reason));
      listener.paused(reason);
    } else if (pause == null && wasPaused) {
      log.info("resumed");
      listener.resumed();
    }
    return news;
  }

  private static String reason(Pause pause) {
    return "by " + pause.operator() + (pause.reason() == null ? "" : ": " + pause.reason());
  }
}
