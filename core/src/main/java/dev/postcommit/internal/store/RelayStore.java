package dev.postcommit.internal.store;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** A store as the relay uses it: claims in two halves, and hints about when to poll. */
public interface RelayStore extends OutboxStore {

  @Override
  default Claim claim(ClaimRequest request) {
    Taken taken;
    Claim claim;
    do {
      taken = take(request);
      claim = taken.read();
    } while (claim.isEmpty() && taken.size() > 0);
    return claim;
  }

  /**
   * The first half of {@link #claim}: takes events, and leaves reading them for later, so that
   * another claim can be made meanwhile.
   */
  Taken take(ClaimRequest request);

  /**
   * Events that were taken, and can be read once.
   *
   * @param size how many there are; reading may show that some, or all, were another's already
   * @param reader reads them and returns the claim; if that fails, they are given back
   * @param leasedAt when the lease on them began, by {@link System#nanoTime}, if that was before
   *     they were taken
   * @param leavesSome whether there may be more events, for now or for when others are settled;
   *     other than those that {@link RelayStore#frees} tells of
   * @param undecided for how long nothing of it may be given up, as another relay that is gone may
   *     have sent it too: were an event made dead now, its copy could still arrive, after later
   *     ones of its key
   */
  record Taken(
      int size,
      Supplier<Claim> reader,
      OptionalLong leasedAt,
      boolean leavesSome,
      Duration undecided) {

    /** Nothing, and it is not known whether there is more. */
    public static final Taken NOTHING = nothing(true);

    /** Nothing, from a store that knows whether some events have to wait for others. */
    public static Taken nothing(boolean leavesSome) {
      return new Taken(0, () -> Claim.EMPTY, OptionalLong.empty(), leavesSome, Duration.ZERO);
    }

    /**
     * Rows that a short transaction has taken.
     *
     * @param token the claim's token
     * @param attemptOffset added to the rows' attempts
     * @param giveBack frees the rows if they cannot be read, so that they do not wait for their
     *     lease
     */
    public static Taken rows(
        Database database,
        List<String> ids,
        long token,
        int attemptOffset,
        boolean leavesSome,
        Duration undecided,
        Runnable giveBack) {
      Supplier<Claim> reader =
          () -> {
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
          };
      return new Taken(ids.size(), reader, OptionalLong.empty(), leavesSome, undecided);
    }

    public Claim read() {
      return reader.get();
    }
  }

  /**
   * As {@link #settle}, for a relay that goes on claiming: the record may wait for a later claim or
   * settlement, some milliseconds or until nothing is left to claim. Events whose record is lost
   * with the process are delivered again.
   */
  default void settleSoon(Claim claim, Collection<? extends Outcome> outcomes) {
    settle(claim, outcomes);
  }

  /**
   * Whether events of which this store knows had to wait for a claim that is settled now, and can
   * be taken.
   */
  default boolean frees(Claim claim) {
    return false;
  }

  /** How long events are to gather before the next claim, as long as there are not many. */
  default Duration pace() {
    return Duration.ofMillis(3);
  }

  /**
   * Releases what the store keeps open between claims, because there will be none for a while.
   * Claims that were made are not touched, and others may follow.
   */
  default void releaseIdle() {}
}
