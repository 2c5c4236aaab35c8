package dev.postcommit.internal.store;

import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import java.time.Duration;
import java.util.Collection;
import java.util.OptionalLong;

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

  /** Events that were taken and are to be read, once. */
  interface Taken {

    /** Nothing, and it is not known whether there is more. */
    Taken NOTHING = nothing(true);

    /** Nothing, from a store that knows whether some events have to wait for others. */
    static Taken nothing(boolean leavesSome) {
      return new Taken() {
        @Override
        public int size() {
          return 0;
        }

        @Override
        public Claim read() {
          return Claim.EMPTY;
        }

        @Override
        public boolean leavesSome() {
          return leavesSome;
        }
      };
    }

    /** How many events there are; reading may show that some, or all, were another's already. */
    int size();

    /** The claim on these events. If they cannot be read, they are given back. */
    Claim read();

    /**
     * When the lease on them began, by {@link System#nanoTime}, if that was before they were taken.
     */
    default OptionalLong leasedAt() {
      return OptionalLong.empty();
    }

    /**
     * For how long nothing of it may be given up, as another relay that is gone may have sent it
     * too: were an event made dead now, its copy could still arrive, after later ones of its key.
     */
    default Duration undecided() {
      return Duration.ZERO;
    }

    /**
     * Whether there may be more events, for now or for when others are settled; other than those
     * that {@link RelayStore#frees} tells of.
     */
    default boolean leavesSome() {
      return true;
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
