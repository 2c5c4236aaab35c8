package dev.postcommit.internal.relay.health;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.store.RelaySession;
import dev.postcommit.internal.store.RelaySession.Backend;
import dev.postcommit.internal.store.Takeovers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database session by which other relays can tell that this one is gone, once it is recorded.
 *
 * <p>Others may take over as soon as a recorded session is gone. So if it is lost, nothing more is
 * handed to the publisher until another is recorded; what is handed over regardless, because the
 * loss was not noticed yet, arrives twice and does no other harm. One thread checks and records;
 * any may ask.
 */
public final class OwnSession {
  private static final Logger log = LoggerFactory.getLogger(OwnSession.class);

  private final WakeUp news = new WakeUp();
  private final @Nullable DataSource dataSource;
  private @Nullable RelaySession session;
  private boolean closed;
  private @Nullable Backend recorded;
  private long lostAt;
  private volatile boolean lost;

  /**
   * The session of a relay; no I/O yet.
   *
   * @param dataSource null if others need not be able to tell
   */
  public OwnSession(@Nullable DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** Whether others may be taking over, so that nothing more is to be handed over. */
  public boolean isLost() {
    return lost;
  }

  /** Waits for a while if it is lost. */
  public void awaitAnother(Duration time) throws InterruptedException {
    long until = System.nanoTime() + time.toNanos();
    for (long left = time.toNanos(); lost && left > 0; left = until - System.nanoTime()) {
      news.await(left);
    }
  }

  /**
   * Checks whether the session is there, and opens another if it is not.
   *
   * @throws PostcommitException if there is none now
   */
  public Optional<Backend> check() {
    @Nullable RelaySession shared = session();
    if (shared == null) {
      return Optional.empty();
    }
    try {
      Optional<Backend> found = shared.check();
      if (!found.equals(Optional.ofNullable(recorded))) {
        lose();
      }
      return found;
    } catch (SQLException e) {
      lose();
      throw new PostcommitException("there is no session to show that the relay is there", e);
    }
  }

  private synchronized @Nullable RelaySession session() {
    if (session == null && dataSource != null && !closed) {
      session = RelaySession.of(dataSource);
    }
    return session;
  }

  private void lose() {
    if (recorded != null && !lost) {
      lostAt = System.nanoTime();
      lost = true;
      log.debug("the session by which others see this relay is lost");
    }
  }

  /**
   * Takes over from relays that are gone, if there is a session to ask over; returns whether there
   * was anything to take over.
   *
   * @throws PostcommitException if there is none now
   */
  public boolean takeOver(Takeovers takeovers) {
    @Nullable RelaySession shared = session();
    try {
      return shared != null && recorded != null && !lost && takeovers.run(shared);
    } catch (SQLException e) {
      throw new PostcommitException("could not check for relays that are gone", e);
    }
  }

  /** Whether this is not what is recorded. */
  public boolean isNew(Optional<Backend> found) {
    return lost || !found.equals(Optional.ofNullable(recorded));
  }

  /** Others can see this session from now on; returns whether one was lost before. */
  public boolean record(Optional<Backend> found) {
    recorded = found.orElse(null);
    boolean wasLost = lost;
    lost = false;
    if (wasLost) {
      log.debug(
          "another session is recorded after {} ms", (System.nanoTime() - lostAt) / 1_000_000);
      news.signal();
    }
    return wasLost;
  }

  public synchronized void close() {
    closed = true;
    if (session != null) {
      session.close();
    }
  }
}
