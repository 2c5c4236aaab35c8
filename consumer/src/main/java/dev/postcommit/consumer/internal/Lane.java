package dev.postcommit.consumer.internal;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.Outcome;
import dev.postcommit.support.Backoff;
import dev.postcommit.support.ErrorText;
import dev.postcommit.support.LogText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A thread that handles messages. All messages of a strand go to the same lane, so they are handled
 * one after the other; a strand whose message is to be retried is parked, and the lane goes on with
 * others.
 *
 * @param <S> the slots of a broker
 */
public final class Lane<S extends Slot> {
  private static final Logger log = LoggerFactory.getLogger(Lane.class);

  /** Beyond it, nanoseconds cannot be counted. */
  private static final Duration LONGEST_DELAY = Duration.ofDays(10_000);

  private static final Duration FIRST_RETRY = Duration.ofMillis(100);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(10);

  private final EventConsumer consumer;
  private final Letters<S> letters;
  private final int batchSize;
  private final Thread thread;
  private final LaneQueue<S> queue = new LaneQueue<>();
  private final Trouble trouble = new Trouble(log, "the event consumer");
  private final Trouble letterTrouble = new Trouble(log, "sending dead letters");
  private final Backoff consumerBackoff = new Backoff(FIRST_RETRY, LONGEST_RETRY);
  private final Backoff letterBackoff = new Backoff(FIRST_RETRY, LONGEST_RETRY);
  private int limit;
  private volatile boolean stopped;
  private volatile @Nullable String failure;

  /** A lane that is not started. */
  public Lane(String name, EventConsumer consumer, Letters<S> letters, int batchSize) {
    this.consumer = consumer;
    this.letters = letters;
    this.batchSize = batchSize;
    this.limit = batchSize;
    this.thread = new Thread(this::run, name);
    this.thread.setDaemon(true);
  }

  /** Begins to handle what it is given. */
  public void start() {
    thread.start();
  }

  /** Gives it slots to handle after those it has. */
  public synchronized void add(List<S> slots) {
    slots.forEach(queue::add);
    notifyAll();
  }

  /** Forgets slots, all or none of a strand, but for what it is handling right now. */
  public synchronized void drop(Predicate<S> which) {
    queue.drop(which);
  }

  /** Begins nothing more; the thread ends when it is finished with what it is handling. */
  public synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  /** The thread that handles messages. */
  public Thread thread() {
    return thread;
  }

  /** Why it does not get on, if so; in the end, because it has ended though it was not stopped. */
  public Optional<String> problem() {
    return Optional.ofNullable(failure).or(trouble::reason).or(letterTrouble::reason);
  }

  /** Whether it has ended though it was not stopped. */
  public boolean hasFailed() {
    return failure != null;
  }

  private void run() {
    try {
      List<S> batch = take();
      while (!batch.isEmpty()) {
        try {
          work(batch);
        } finally {
          batch.forEach(Slot::finish);
        }
        batch = take();
      }
    } catch (Throwable e) {
      // What handlers and brokers throw is caught where they are called.
      String text = thread.getName() + " has ended, and handles nothing more: " + ErrorText.of(e);
      failure = text;
      log.error("{}; close the consumer, and better start its process anew", text, e);
    }
  }

  /** The next slots to handle; none when the lane is to end. */
  private synchronized List<S> take() {
    while (!stopped) {
      List<S> batch = queue.take(limit, System.nanoTime());
      if (!batch.isEmpty()) {
        return batch;
      }
      try {
        wait(millisToNext());
      } catch (InterruptedException e) {
        // Left behind by a handler, for the lane is not interrupted before it is stopped.
        log.debug("an interrupt is ignored");
      }
    }
    return List.of();
  }

  /** How long until a parked strand is due; 0 if none is parked. */
  private long millisToNext() {
    @Nullable Long due = queue.nextDue();
    return due == null ? 0 : Math.max(1, (due - System.nanoTime()) / 1_000_000 + 1);
  }

  private void work(List<S> batch) {
    Map<S, Outcome> outcomes = handle(batch.stream().filter(Lane::isAlive).toList());
    List<S> dead = batch.stream().filter(slot -> slot.letter() != null).toList();
    if (!dead.isEmpty()) {
      send(dead);
    }
    settle(batch, outcomes);
  }

  private void send(List<S> dead) {
    try {
      letters.send(dead);
      letterTrouble.over();
    } catch (Throwable e) {
      letterTrouble.failed(e, Level.ERROR, "the letters are kept and sent again");
      log.debug("the letters of {} could not be sent", dead, e);
    }
  }

  private static boolean isAlive(Slot slot) {
    return slot.letter() == null;
  }

  /** Has messages handled; what became of those that are neither done nor dead. */
  private Map<S, Outcome> handle(List<S> slots) {
    Map<S, Outcome> unfinished = new HashMap<>();
    if (slots.isEmpty()) {
      return unfinished;
    }
    List<Outcome> outcomes = outcomes(slots);
    for (int i = 0; i < slots.size(); i++) {
      S slot = slots.get(i);
      Outcome outcome = outcomes.get(i);
      log.debug("{}: {}", slot, LogText.line(outcome));
      if (outcome instanceof Outcome.Done) {
        slot.done();
      } else if (outcome instanceof Outcome.Dead dead) {
        slot.giveUp(dead.letter());
      } else {
        unfinished.put(slot, outcome);
      }
    }
    return unfinished;
  }

  private List<Outcome> outcomes(List<S> slots) {
    try {
      List<Outcome> outcomes = consumer.handle(slots.stream().map(Slot::attempt).toList());
      if (outcomes.size() != slots.size() || outcomes.stream().allMatch(Outcome.HELD::equals)) {
        throw new IllegalStateException(
            "%d messages were given to it and it looked at none, or said not of each what became of it"
                .formatted(slots.size()));
      }
      consumerBackoff.reset();
      trouble.over();
      return outcomes;
    } catch (Throwable e) {
      // It says by outcomes what fails. That it throws is nothing a message is to blame for.
      trouble.failed(e, Level.ERROR, "messages wait and are given to it again");
      log.debug("the event consumer failed with {}", slots, e);
      Duration delay = Duration.ofNanos(consumerBackoff.nextNanos());
      Outcome retry = new Outcome.Retry(delay, false, ErrorText.of(e));
      return slots.stream().map(slot -> retry).toList();
    }
  }

  /** Keeps what is not done. */
  private synchronized void settle(List<S> batch, Map<S, Outcome> outcomes) {
    long now = System.nanoTime();
    long letterDelay = batch.stream().anyMatch(Lane::isUnsent) ? letterBackoff.nextNanos() : 0;
    List<S> held = new ArrayList<>();
    Set<Object> heldStrands = new HashSet<>();
    for (S slot : batch) {
      if (slot.isDone() || slot.isAbandoned()) {
        continue;
      }
      Outcome.@Nullable Retry retry =
          outcomes.get(slot) instanceof Outcome.Retry again ? again : null;
      if (retry != null && retry.counts()) {
        slot.countAttempt();
      }
      // What is parked must be older than what is ready: see LaneQueue.
      if (heldStrands.contains(slot.strand())) {
        held.add(slot);
      } else if (slot.letter() != null) {
        queue.park(slot, now + letterDelay);
      } else if (retry != null) {
        queue.park(slot, now + shorter(retry.delay(), LONGEST_DELAY).toNanos());
      } else if (queue.isParked(slot)) {
        queue.park(slot, now);
      } else {
        held.add(slot);
        heldStrands.add(slot.strand());
      }
    }
    queue.putBack(held);
    if (letterDelay == 0) {
      letterBackoff.reset();
    }
    // What is held though nothing before it waits was too much for the time there was.
    limit =
        held.isEmpty()
            ? (int) Math.min(batchSize, limit * 2L)
            : Math.max(1, batch.size() - held.size());
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static boolean isUnsent(Slot slot) {
    return slot.letter() != null && !slot.isDone();
  }
}
