package dev.postcommit.internal.store;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.store.RelayStore.Taken;
import dev.postcommit.store.Claim;
import java.time.Duration;
import java.util.List;

/**
 * Rows that a short transaction has taken, and that have not been read yet.
 *
 * @param token the claim's token
 * @param attemptOffset added to the rows' attempts
 * @param leavesSome whether there may be more events
 * @param undecided for how long none of the events may be given up
 * @param giveBack frees the rows if they cannot be read, so that they do not wait for their lease
 */
public record Unread(
    Database database,
    List<String> ids,
    long token,
    int attemptOffset,
    boolean leavesSome,
    Duration undecided,
    Runnable giveBack)
    implements Taken {

  @Override
  public int size() {
    return ids.size();
  }

  @Override
  public Claim read() {
    try {
      return database.run(
          "read claimed events of",
          connection -> new Claim(token, database.fetch(connection, ids, attemptOffset)));
    } catch (RuntimeException e) {
      try {
        giveBack.run();
      } catch (PostcommitException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }
}
