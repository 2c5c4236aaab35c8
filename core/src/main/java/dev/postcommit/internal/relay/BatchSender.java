package dev.postcommit.internal.relay;

import dev.postcommit.Ordering;
import dev.postcommit.internal.relay.Messages.RejectedException;
import dev.postcommit.internal.relay.health.Fatal;
import dev.postcommit.internal.relay.health.OwnSession;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Delivery.Delivered;
import dev.postcommit.relay.Delivery.Rejected;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher.Handover;
import dev.postcommit.store.StoredEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The sending of one batch.
 *
 * <p>An event is sent only if every earlier one of its key was delivered or rejected, or, where the
 * publisher keeps order itself, was at least handed over. Events held back by that, by the end of
 * the lease, or because the relay {@linkplain OwnSession lost its session}, end as {@link
 * Delivery#HELD_BACK}.
 *
 * <p>Of a batch that is {@linkplain Batch#undecided undecided}, a rejected event holds back its key
 * like any other failure, and so each event waits for the answer to the one before it.
 */
final class BatchSender {
  private static final long NOT_SENT = 0;

  private final Batch batch;
  private final RelayContext context;
  private final List<StoredEvent> events;
  private final boolean ordered;
  private final boolean undecided;
  private final AtomicReferenceArray<@Nullable Delivery> deliveries;
  private final long[] sentAt;
  private final @Nullable String[] topics;
  private final CountDownLatch open;
  private final Set<String> stoppedKeys = ConcurrentHashMap.newKeySet();
  private volatile long lastProgress = System.nanoTime();
  private volatile boolean cancelled;

  BatchSender(Batch batch, RelayContext context) {
    this.batch = batch;
    this.context = context;
    this.events = batch.events();
    this.ordered = context.config().ordering() == Ordering.PER_KEY;
    this.deliveries = new AtomicReferenceArray<>(events.size());
    this.sentAt = new long[events.size()];
    this.topics = new String[events.size()];
    this.undecided = !batch.undecided().isZero();
    this.open = new CountDownLatch(events.size());
  }

  /** Sends what can be sent now; what waits for earlier events follows by itself. */
  void send() {
    if (!ordered || (context.publisher().keepsOrder() && !undecided)) {
      sendAll();
    } else {
      sendInTurn();
    }
  }

  private void sendAll() {
    try (Handover handover = context.publisher().handover()) {
      for (int n = 0; n < events.size(); n++) {
        int i = n;
        send(i, handover).whenComplete((delivery, error) -> complete(i, delivery, error));
      }
    }
  }

  private void sendInTurn() {
    Map<Object, Deque<Integer>> runs = new LinkedHashMap<>();
    for (int i = 0; i < events.size(); i++) {
      Object run = events.get(i).key() == null ? (Object) i : events.get(i).key();
      runs.computeIfAbsent(run, key -> new ArrayDeque<>()).add(i);
    }
    runs.values().forEach(this::advance);
  }

  /** Sends the events of one key one after the other, as far as they go. */
  private void advance(Deque<Integer> run) {
    for (Integer next = run.poll(); next != null; next = run.poll()) {
      CompletionStage<Delivery> sending = send(next, context.publisher()::send);
      boolean answered = sending.toCompletableFuture().isDone();
      int i = next;
      sending.whenComplete(
          (delivery, error) -> {
            complete(i, delivery, error);
            if (!answered) {
              advance(run);
            }
          });
      if (!answered) {
        return;
      }
    }
  }

  private CompletionStage<Delivery> send(int i, Handover handover) {
    StoredEvent event = events.get(i);
    if (cancelled || !batch.isHeld() || context.session().isLost() || isStopped(event.key())) {
      return CompletableFuture.completedFuture(Delivery.HELD_BACK);
    }
    try {
      Message message = context.messages().of(event);
      topics[i] = message.topic();
      @Nullable Delivery refusal = context.topics().refusal(message.topic());
      if (refusal != null) {
        return CompletableFuture.completedFuture(refusal);
      }
      sentAt[i] = System.nanoTime();
      return handover.send(context.listener().sending(event, message));
    } catch (RejectedException e) {
      return CompletableFuture.completedFuture(e.delivery());
    } catch (RuntimeException | Error e) {
      Fatal.rethrow(e);
      return CompletableFuture.failedFuture(e);
    }
  }

  private void complete(int i, @Nullable Delivery answer, @Nullable Throwable error) {
    StoredEvent event = events.get(i);
    Delivery delivery =
        answer != null ? answer : new Delivery.Retryable("the publisher failed: " + error, error);
    boolean goesOn = delivery instanceof Delivered || (delivery instanceof Rejected && !undecided);
    if (ordered && !goesOn && event.key() != null) {
      stoppedKeys.add(event.key());
    }
    deliveries.set(i, delivery);
    lastProgress = System.nanoTime();
    @Nullable String topic = topics[i];
    if (sentAt[i] != NOT_SENT && topic != null) {
      context.topics().answered(topic, delivery, sentAt[i]);
      context.listener().answered(event, delivery, Duration.ofNanos(lastProgress - sentAt[i]));
    }
    open.countDown();
  }

  private boolean isStopped(@Nullable String key) {
    return key != null && stoppedKeys.contains(key);
  }

  /** Waits until every event has its delivery or is held back; returns whether that is so. */
  boolean await(Duration time) throws InterruptedException {
    return open.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** The time since the last event was answered. */
  Duration idle() {
    return Duration.ofNanos(System.nanoTime() - lastProgress);
  }

  /** Sends nothing more. */
  void cancel() {
    cancelled = true;
  }

  /** Where an event was to go, or null if it did not come to that. */
  @Nullable String topic(int i) {
    return topics[i];
  }

  /** What became of an event, or null if that is not known yet. */
  @Nullable Delivery delivery(int i) {
    return deliveries.get(i);
  }
}
