package dev.postcommit.consumer.spi;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.Outcome;
import dev.postcommit.support.Backoff;
import dev.postcommit.support.ErrorText;
import dev.postcommit.support.LogText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
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
 * A thread that handles messages. All messages of an ordering key go to the same worker, so they
 * are handled one after the other. If one is to be retried, its key is delayed, and the worker goes
 * on with others.
 *
 * @param <M> the messages of a broker
 */
final class Worker<M extends FetchedMessage> {
  private static final Logger log = LoggerFactory.getLogger(Worker.class);

  /** Beyond it, nanoseconds cannot be counted. */
  private static final Duration LONGEST_DELAY = Duration.ofDays(10_000);

  private static final Duration FIRST_RETRY = Duration.ofMillis(100);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(10);

  private final EventConsumer consumer;
  private final DeadLetterSink<M> deadLetters;
  private final int batchSize;
  private final Thread thread;
  private final WorkQueue<M> queue = new WorkQueue<>();
  private final RecurringFailure consumerFailure = new RecurringFailure(log, "the event consumer");
  private final RecurringFailure sinkFailure = new RecurringFailure(log, "sending dead letters");
  private final Backoff consumerBackoff = new Backoff(FIRST_RETRY, LONGEST_RETRY);
  private final Backoff sinkBackoff = new Backoff(FIRST_RETRY, LONGEST_RETRY);
  private int limit;
  private volatile boolean stopped;
  private volatile @Nullable String fatalError;

  /** A worker that is not started. */
  Worker(String name, EventConsumer consumer, DeadLetterSink<M> deadLetters, int batchSize) {
    this.consumer = consumer;
    this.deadLetters = deadLetters;
    this.batchSize = batchSize;
    this.limit = batchSize;
    this.thread = new Thread(this::run, name);
    this.thread.setDaemon(true);
  }

  /** Begins to handle the messages that it is given. */
  void start() {
    thread.start();
  }

  /** Adds messages behind those it has. */
  synchronized void add(List<M> messages) {
    messages.forEach(queue::add);
    notifyAll();
  }

  /** Forgets messages, all or none of an ordering key, except those it is handling right now. */
  synchronized void drop(Predicate<M> which) {
    queue.drop(which);
  }

  /** Begins nothing more; the thread ends when it has finished what it is handling. */
  synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  Thread thread() {
    return thread;
  }

  /**
   * Why it makes no progress, if so; the last reason is that it has ended without being stopped.
   */
  Optional<String> problem() {
    return Optional.ofNullable(fatalError).or(consumerFailure::reason).or(sinkFailure::reason);
  }

  /** Whether it has ended without being stopped. */
  boolean hasFailed() {
    return fatalError != null;
  }

  private void run() {
    try {
      List<M> batch = take();
      while (!batch.isEmpty()) {
        try {
          work(batch);
        } finally {
          batch.forEach(FetchedMessage::finish);
        }
        batch = take();
      }
    } catch (Throwable e) {
      // What handlers and brokers throw is caught where they are called.
      String text = thread.getName() + " has ended, and handles nothing more: " + ErrorText.of(e);
      fatalError = text;
      log.error("{}; close the consumer, and preferably restart its process", text, e);
    }
  }

  /** The next messages to handle; none when the worker is to end. */
  private synchronized List<M> take() {
    while (!stopped) {
      List<M> batch = queue.take(limit, System.nanoTime());
      if (!batch.isEmpty()) {
        return batch;
      }
      try {
        wait(millisToNext());
      } catch (InterruptedException e) {
        // Left behind by a handler: a worker is not interrupted before it is stopped.
        log.debug("an interrupt is ignored");
      }
    }
    return List.of();
  }

  /** How long until a delayed ordering key is due; 0 if none is delayed. */
  private long millisToNext() {
    @Nullable Long due = queue.nextDue();
    return due == null ? 0 : Math.max(1, (due - System.nanoTime()) / 1_000_000 + 1);
  }

  private void work(List<M> batch) {
    Map<M, Outcome> unfinished =
        handle(batch.stream().filter(message -> !message.isDead()).toList());
    List<M> dead = batch.stream().filter(FetchedMessage::isDead).toList();
    if (!dead.isEmpty()) {
      send(dead);
    }
    requeue(batch, unfinished);
  }

  private void send(List<M> dead) {
    try {
      deadLetters.send(dead);
      sinkFailure.over();
    } catch (Throwable e) {
      sinkFailure.failed(e, Level.ERROR, "the dead letters are kept and sent again");
      log.debug("the dead letters of {} could not be sent", dead, e);
    }
  }

  /** Has messages handled; returns the outcomes of those that are neither done nor dead. */
  private Map<M, Outcome> handle(List<M> messages) {
    Map<M, Outcome> unfinished = new HashMap<>();
    if (messages.isEmpty()) {
      return unfinished;
    }
    List<Outcome> outcomes = outcomes(messages);
    for (int i = 0; i < messages.size(); i++) {
      M message = messages.get(i);
      Outcome outcome = outcomes.get(i);
      log.debug("{}: {}", message, LogText.line(outcome));
      if (outcome instanceof Outcome.Done) {
        message.done();
      } else if (outcome instanceof Outcome.Dead dead) {
        message.giveUp(dead.deadLetter());
      } else {
        unfinished.put(message, outcome);
      }
    }
    return unfinished;
  }

  private List<Outcome> outcomes(List<M> messages) {
    try {
      List<Outcome> outcomes =
          consumer.handle(messages.stream().map(FetchedMessage::workItem).toList());
      if (outcomes.size() != messages.size() || outcomes.stream().allMatch(Outcome.HELD::equals)) {
        throw new IllegalStateException(
            "it was given %d messages and handled none, or did not return an outcome for each"
                .formatted(messages.size()));
      }
      consumerBackoff.reset();
      consumerFailure.over();
      return outcomes;
    } catch (Throwable e) {
      // Failures of messages are outcomes. That it throws is no message's fault.
      consumerFailure.failed(e, Level.ERROR, "messages wait and are given to it again");
      log.debug("the event consumer failed with {}", messages, e);
      Duration delay = Duration.ofNanos(consumerBackoff.nextNanos());
      Outcome retry = new Outcome.Retry(delay, false, ErrorText.of(e));
      return messages.stream().map(message -> retry).toList();
    }
  }

  /** Puts messages that are not done back into the queue. */
  private synchronized void requeue(List<M> batch, Map<M, Outcome> outcomes) {
    long now = System.nanoTime();
    long sinkDelay = batch.stream().anyMatch(FetchedMessage::isDead) ? sinkBackoff.nextNanos() : 0;
    List<M> held = new ArrayList<>();
    Set<Object> heldKeys = new HashSet<>();
    for (M message : batch) {
      if (message.isDone() || message.isAbandoned()) {
        continue;
      }
      Outcome.@Nullable Retry retry =
          outcomes.get(message) instanceof Outcome.Retry again ? again : null;
      if (retry != null && retry.counts()) {
        message.countAttempt();
      }
      // Delayed messages must be older than ready ones: see WorkQueue.
      if (heldKeys.contains(message.orderingKey())) {
        held.add(message);
      } else if (message.isDead()) {
        queue.delay(message, now + sinkDelay);
      } else if (retry != null) {
        queue.delay(
            message, now + Collections.min(List.of(retry.delay(), LONGEST_DELAY)).toNanos());
      } else if (queue.isDelayed(message)) {
        queue.delay(message, now);
      } else {
        held.add(message);
        heldKeys.add(message.orderingKey());
      }
    }
    queue.putBack(held);
    if (sinkDelay == 0) {
      sinkBackoff.reset();
    }
    // Messages held though no earlier one waits were too many for the time available.
    limit =
        held.isEmpty()
            ? (int) Math.min(batchSize, limit * 2L)
            : Math.max(1, batch.size() - held.size());
  }
}
