package dev.postcommit.internal.relay;

import dev.postcommit.Ordering;
import dev.postcommit.PostcommitException;
import dev.postcommit.internal.relay.Messages.RejectedException;
import dev.postcommit.internal.relay.health.DatabaseHealth.Work;
import dev.postcommit.internal.store.CheckpointedLog;
import dev.postcommit.internal.store.CheckpointedLog.State;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.RelayConfig;
import dev.postcommit.relay.TransactionalPublisher;
import dev.postcommit.relay.TransactionalPublisher.Result;
import dev.postcommit.store.LeaseLostException;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers the claims of a log one after the other, so that messages and checkpoint are one
 * transaction of the broker.
 *
 * <p>An event that cannot be delivered leaves the log, but not before everything ahead of it is
 * committed: if the relay dies in between, the next one finds it again behind the events that it
 * has to follow. If the fate of a transaction is unknown, everything claimed is forgotten, and the
 * broker's checkpoint tells where to continue.
 */
final class Transactions {
  private static final Logger log = LoggerFactory.getLogger(Transactions.class);

  /** One is delivered while the next is read and made into messages. */
  private static final int LANES = 2;

  private static final int LARGEST_BATCH = 10_000;
  private static final long WAIT_MILLIS = 100;

  private final RelayContext context;
  private final CheckpointedLog store;
  private final TransactionalPublisher publisher;
  private final Poller poller;
  private final Settling settling;

  Transactions(
      RelayContext context,
      CheckpointedLog store,
      TransactionalPublisher publisher,
      Poller poller) {
    this.context = context;
    this.store = store;
    this.publisher = publisher;
    this.poller = poller;
    this.settling = new Settling(context);
  }

  /** Settings that combine what would otherwise be parallel batches into one transaction. */
  static RelayConfig adjusted(RelayConfig config) {
    int batches = config.batchesInFlight();
    return new RelayConfig(
        Math.min(config.batchSize() * batches, LARGEST_BATCH),
        config.batchBytes() > Long.MAX_VALUE / batches
            ? Long.MAX_VALUE
            : config.batchBytes() * batches,
        LANES,
        config.pollInterval(),
        config.lease(),
        config.drainTimeout(),
        config.ordering(),
        config.retryPolicy(),
        config.retryPolicies(),
        config.namespace(),
        config.tenant(),
        config.giveUpAfter(),
        config.retention(),
        config.standbys());
  }

  boolean isFor(Batch batch) {
    return store.isInLog(batch.claim());
  }

  /** Delivers and settles a batch. */
  void process(Batch batch) throws InterruptedException {
    EventLog.claimed(batch.events());
    boolean settled = false;
    try {
      Load load = new Load(batch);
      settled = awaitReady(batch) ? deliver(batch, load) : settling.giveBack(batch);
      load.mapping.log();
    } catch (LeaseLostException e) {
      log.warn("{}", e.getMessage());
      context.listener().leaseLost(batch.events().size());
    } catch (PostcommitException e) {
      context.database().failed(Work.SETTLE, e);
    } finally {
      if (!settled) {
        EventLog.lost(batch.events());
      }
      ended(batch, settled);
    }
  }

  /** Gives back a batch that may not be delivered now. */
  void withhold(Batch batch) throws InterruptedException {
    boolean settled = false;
    try {
      settled = settling.giveBack(batch);
    } finally {
      ended(batch, settled);
    }
  }

  private void ended(Batch batch, boolean settled) {
    if (!settled) {
      store.abandon(batch.claim());
    }
    synchronized (this) {
      notifyAll();
    }
  }

  /** Waits for the claims before this one; returns whether it may be delivered then. */
  private synchronized boolean awaitReady(Batch batch) throws InterruptedException {
    State state = store.state(batch.claim());
    while (state == State.WAITING) {
      wait(WAIT_MILLIS);
      state = store.state(batch.claim());
    }
    return state == State.READY;
  }

  /** Delivers the runs of events between those that cannot be delivered. */
  private boolean deliver(Batch batch, Load load) throws InterruptedException {
    while (!load.isEmpty()) {
      List<Outcome> refused = load.takeRefused();
      if (!refused.isEmpty()) {
        if (!settling.settle(batch, refused)) {
          return false;
        }
        continue;
      }
      long startedAt = System.nanoTime();
      List<Message> messages = load.messages();
      Result result = deliver(batch, messages);
      if (result instanceof Result.Committed) {
        store.settle(batch.claim(), load.takeDelivered(messages.size()));
        context.delivered().add(messages.size());
        context
            .listener()
            .settled(messages.size(), Duration.ofNanos(System.nanoTime() - startedAt));
        context.database().settled(false);
        poller.broker().accepted();
      } else if (result instanceof Result.Refused refusal) {
        new TreeMap<>(refusal.refusals()).forEach(load::refuse);
      } else {
        if (result instanceof Result.Unavailable unavailable) {
          context.broker().lost(unavailable.reason());
        } else if (result instanceof Result.Superseded superseded) {
          log.info(
              "another transaction has begun, or this one was too long: {}", superseded.reason());
        }
        return false;
      }
    }
    return true;
  }

  private Result deliver(Batch batch, List<Message> messages) throws InterruptedException {
    context.handover().readLock().lockInterruptibly();
    try {
      return publisher.deliver(messages, () -> store.checkpoint(batch.claim(), messages.size()));
    } finally {
      context.handover().readLock().unlock();
    }
  }

  /** The events of a batch that are not settled, and their messages. */
  private final class Load {
    private final List<StoredEvent> events;
    private final List<@Nullable Message> messages = new ArrayList<>();
    private final List<@Nullable Outcome> refusals = new ArrayList<>();
    private final Map<String, Integer> stoppedKeys = new HashMap<>();
    private final OutcomeMapping mapping;
    private final long sentAt = System.nanoTime();
    private int next;

    Load(Batch batch) {
      this.events = batch.events();
      this.mapping = new OutcomeMapping(context, batch);
      for (StoredEvent event : events) {
        @Nullable Message message = null;
        @Nullable Outcome refusal = null;
        try {
          Message made = context.messages().of(event);
          @Nullable Delivery unavailable =
              isStopped(event, refusals.size()) ? null : context.topics().refusal(made.topic());
          if (unavailable == null) {
            message = context.listener().sending(event, made);
          } else {
            refusal = mapping.outcome(event, made.topic(), unavailable);
            stop(event, refusal, refusals.size());
          }
        } catch (RejectedException e) {
          refusal = mapping.outcome(event, null, e.delivery());
        }
        messages.add(message);
        refusals.add(refusal);
      }
    }

    boolean isEmpty() {
      return next == events.size();
    }

    /** The message at {@code index} of the last {@link #messages} cannot be delivered. */
    void refuse(int index, Delivery delivery) {
      int i = next + index;
      StoredEvent event = events.get(i);
      if (isStopped(event, i) && !(delivery instanceof Delivery.Rejected)) {
        return;
      }
      @Nullable Message message = messages.get(i);
      @Nullable String topic = message == null ? null : message.topic();
      if (topic != null) {
        context.topics().answered(topic, delivery, sentAt);
      }
      context.listener().answered(event, delivery, age());
      Outcome outcome = mapping.outcome(event, topic, delivery);
      refusals.set(i, outcome);
      stop(event, outcome, i);
    }

    /** Whether an event waits for an earlier one of its key. */
    private boolean isStopped(StoredEvent event, int i) {
      @Nullable String key = event.key();
      return key != null && stoppedKeys.getOrDefault(key, i) < i;
    }

    /** Holds back later events of a key if this one will be tried again. */
    private void stop(StoredEvent event, Outcome outcome, int i) {
      @Nullable String key = event.key();
      boolean ordered = context.config().ordering() == Ordering.PER_KEY;
      boolean waits = outcome instanceof Outcome.Retry || outcome instanceof Outcome.Deferred;
      if (waits && ordered && key != null) {
        stoppedKeys.merge(key, i, Math::min);
      }
    }

    /** Takes the events up to the first that can be delivered. */
    List<Outcome> takeRefused() {
      List<Outcome> refused = new ArrayList<>();
      for (; !isEmpty() && refusal(next) != null; next++) {
        refused.add(refusal(next));
      }
      return refused;
    }

    private @Nullable Outcome refusal(int i) {
      @Nullable Outcome refusal = refusals.get(i);
      boolean waits = refusal == null && isStopped(events.get(i), i);
      return waits ? new Outcome.Released(events.get(i).id()) : refusal;
    }

    /** The messages up to the first that cannot be delivered. */
    List<Message> messages() {
      List<Message> run = new ArrayList<>();
      for (int i = next; i < events.size() && refusal(i) == null; i++) {
        @Nullable Message message = messages.get(i);
        if (message != null) {
          run.add(message);
        }
      }
      return run;
    }

    /** Takes delivered events. */
    List<Outcome> takeDelivered(int count) {
      Duration age = age();
      List<Outcome> delivered = new ArrayList<>(count);
      for (int i = next; i < next + count; i++) {
        StoredEvent event = events.get(i);
        @Nullable Message message = messages.get(i);
        if (message != null) {
          context.topics().answered(message.topic(), Delivery.DELIVERED, sentAt);
        }
        context.listener().answered(event, Delivery.DELIVERED, age);
        delivered.add(mapping.outcome(event, null, Delivery.DELIVERED));
      }
      next += count;
      return delivered;
    }

    private Duration age() {
      return Duration.ofNanos(System.nanoTime() - sentAt);
    }
  }
}
