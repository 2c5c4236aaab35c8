package dev.postcommit.internal.relay;

import dev.postcommit.internal.relay.health.Fatal;
import dev.postcommit.internal.relay.health.WakeUp;
import dev.postcommit.internal.store.RelayStore;
import dev.postcommit.store.LeaseLostException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews the leases of batches that take long, from a thread of its own. */
final class LeaseKeeper implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(LeaseKeeper.class);

  private final RelayStore store;
  private final Duration lease;
  private final Set<Batch> batches = ConcurrentHashMap.newKeySet();
  private final WakeUp wakeUp = new WakeUp();
  private volatile boolean stopped;

  LeaseKeeper(RelayStore store, Duration lease) {
    this.store = store;
    this.lease = lease;
  }

  void add(Batch batch) {
    batches.add(batch);
  }

  void remove(Batch batch) {
    batches.remove(batch);
  }

  void stop() {
    stopped = true;
    wakeUp.signal();
  }

  @Override
  public void run() {
    try {
      while (!stopped) {
        wakeUp.await(lease.toNanos() / 6);
        batches.stream().filter(Batch::wantsRenewal).forEach(this::renew);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void renew(Batch batch) {
    long startedAt = System.nanoTime();
    try {
      store.renew(batch.claim(), lease);
      batch.renewed(startedAt);
    } catch (LeaseLostException e) {
      if (batches.contains(batch)) {
        log.warn("{}", e.getMessage());
        batch.lose();
      }
    } catch (RuntimeException | Error e) {
      Fatal.rethrow(e);
      log.debug("could not renew a lease, will try again", e);
    }
  }
}
