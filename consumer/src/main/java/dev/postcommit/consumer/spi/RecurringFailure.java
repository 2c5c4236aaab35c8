package dev.postcommit.consumer.spi;

import dev.postcommit.support.ErrorText;
import dev.postcommit.support.LogText;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/** Logs something that may fail repeatedly: once when it begins, changes and ends. */
public final class RecurringFailure {
  private final Logger log;
  private final String what;
  private @Nullable String reason;
  private @Nullable Class<?> kind;

  /**
   * Something that has not failed yet.
   *
   * @param what what fails, as the beginning of a sentence that continues with "fails"
   */
  public RecurringFailure(Logger log, String what) {
    this.log = log;
    this.what = what;
  }

  /** It failed, and is tried again. */
  public void failed(Throwable error) {
    failed(error, Level.WARN, "it is tried again");
  }

  /** It failed; {@code remedy} says what will be done, or what a person should do. */
  public synchronized void failed(Throwable error, Level level, String remedy) {
    reason = ErrorText.of(error);
    boolean known = error.getClass() == kind;
    kind = error.getClass();
    if (known) {
      log.debug("{} still fails: {}", what, LogText.line(reason));
    } else {
      log.atLevel(level).log("{} fails: {}; {}", what, LogText.line(reason), remedy);
    }
  }

  /** It works. */
  public synchronized void over() {
    if (reason != null) {
      log.info("{} works again", what);
      reason = null;
      kind = null;
    }
  }

  /** Why it fails, if it does. */
  public synchronized Optional<String> reason() {
    return Optional.ofNullable(reason);
  }
}
