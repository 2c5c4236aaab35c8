package dev.postcommit.internal.store;

import static java.util.stream.Collectors.toMap;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What a store has claimed and works on, so that it can tell which of the claims in its name it has
 * forgotten.
 *
 * <p>Claims and settlements do not wait for the disk, and answers get lost. So the database may
 * have a claim whose answer never arrived, or that could not be read and given back, or that a
 * crash brought back because it undid the settlement. The relay of such a claim lives, works on
 * something else, and shows no sign of being gone: without help the claim's keys are silent until
 * its lease ends. So after each failure that may have left one behind, and whenever the database
 * has been restarted, the next claim is preceded by giving back all that is in this store's name
 * and not held. That frees no key too early: of what is not held, every message has had its outcome
 * or was never sent.
 */
public final class HeldClaims {

  /**
   * A claim that is being worked on.
   *
   * @param ids its events
   * @param open how many of them are not settled
   * @param until when its lease ends
   */
  private record Held(List<String> ids, int open, long until) {}

  /**
   * More than any relay works on at once: some were given up, and are held no longer than leased.
   */
  private static final int MANY = 1_000;

  private final LongSupplier clock;
  private final Map<Long, Held> held = new ConcurrentHashMap<>();

  /** Claims are made under the one; under the other none is on its way that is not known yet. */
  private final ReadWriteLock making = new ReentrantReadWriteLock();

  private volatile boolean doubtful;
  private long epoch;

  /** No claim is held. */
  public HeldClaims(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * Makes a claim.
   *
   * @param giveBack gives back all claims in the store's name but the given ones, which have these
   *     events
   * @param claim makes the claim, and adds it
   */
  public <T> T claim(Consumer<Map<Long, List<String>>> giveBack, Supplier<T> claim) {
    if (doubtful && making.writeLock().tryLock()) {
      try {
        giveBack(giveBack);
      } finally {
        making.writeLock().unlock();
      }
    }
    making.readLock().lock();
    try {
      return claim.get();
    } catch (RuntimeException | Error e) {
      doubtful = true;
      throw e;
    } finally {
      making.readLock().unlock();
    }
  }

  private void giveBack(Consumer<Map<Long, List<String>>> giveBack) {
    // Before it is seen what is held: a claim may be forgotten while the others are given back.
    doubtful = false;
    try {
      giveBack.accept(held());
    } catch (RuntimeException | Error e) {
      doubtful = true;
      throw e;
    }
  }

  private Map<Long, List<String>> held() {
    dropEnded();
    return held.entrySet().stream().collect(toMap(Map.Entry::getKey, e -> e.getValue().ids()));
  }

  private void dropEnded() {
    long now = clock.getAsLong();
    held.values().removeIf(claim -> claim.until() - now <= 0);
  }

  /** Notes a claim. */
  public void add(long claim, List<String> ids, Duration lease) {
    if (held.size() >= MANY) {
      dropEnded();
    }
    held.put(claim, new Held(ids, ids.size(), until(lease)));
  }

  /** Notes that the lease of a claim was renewed. */
  public void renewed(long claim, Duration lease) {
    held.computeIfPresent(claim, (key, was) -> new Held(was.ids(), was.open(), until(lease)));
  }

  private long until(Duration lease) {
    return clock.getAsLong() + lease.toNanos();
  }

  /** Notes that some events of a claim are settled. */
  public void settled(long claim, int events) {
    held.computeIfPresent(
        claim,
        (key, was) ->
            was.open() > events ? new Held(was.ids(), was.open() - events, was.until()) : null);
  }

  /** Notes that a claim is not held any more. */
  public void lost(long claim) {
    held.remove(claim);
  }

  /** Notes that nobody works on a claim any more, though the database may still have it. */
  public void forget(long claim) {
    held.remove(claim);
    doubtful = true;
  }

  /** Notes in which epoch of the database a claim was made. */
  public synchronized void seen(long current) {
    if (epoch != current) {
      doubtful |= epoch != 0;
      epoch = current;
    }
  }
}
