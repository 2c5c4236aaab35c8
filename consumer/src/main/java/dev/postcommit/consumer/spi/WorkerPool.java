package dev.postcommit.consumer.spi;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.support.DurationText;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of a consumer. A broker's subclass decides which messages go to which.
 *
 * @param <M> the messages of the broker
 */
public abstract class WorkerPool<M extends FetchedMessage> {
  private static final Logger log = LoggerFactory.getLogger(WorkerPool.class);

  /** How long handlers may take to react to an interrupt. */
  private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(1);

  private final List<Worker<M>> workers;
  private final EventConsumer consumer;
  private final DeadLetterSink<M> deadLetters;
  private final Duration closeTimeout;

  /**
   * Workers that are not started.
   *
   * @param name the prefix of their threads' names
   */
  protected WorkerPool(
      String name, WorkerSettings settings, EventConsumer consumer, DeadLetterSink<M> deadLetters) {
    this.consumer = consumer;
    this.deadLetters = deadLetters;
    this.closeTimeout = settings.closeTimeout();
    this.workers =
        IntStream.rangeClosed(1, settings.threads())
            .mapToObj(
                n -> new Worker<>(name + "-" + n, consumer, deadLetters, settings.batchSize()))
            .toList();
  }

  /** How many workers there are. */
  protected final int size() {
    return workers.size();
  }

  /** The number of the worker for messages whose keys have this hash, from 0. */
  protected final int workerFor(int hash) {
    return Math.floorMod(hash ^ (hash >>> 16), workers.size());
  }

  /** Has a worker handle messages after those that it has. */
  protected final void give(int worker, List<M> messages) {
    workers.get(worker).add(messages);
  }

  /** Forgets messages, all or none of an ordering key, except those being handled right now. */
  protected final void drop(Predicate<M> which) {
    workers.forEach(worker -> worker.drop(which));
  }

  final EventConsumer consumer() {
    return consumer;
  }

  final DeadLetterSink<M> deadLetters() {
    return deadLetters;
  }

  final Duration closeTimeout() {
    return closeTimeout;
  }

  final void start() {
    workers.forEach(Worker::start);
  }

  /** Begins nothing more. */
  final void stop() {
    workers.forEach(Worker::stop);
  }

  /** Why some workers make no progress, if so. */
  final Optional<String> problem() {
    return workers.stream()
        .sorted(Comparator.comparing(worker -> !worker.hasFailed()))
        .flatMap(worker -> worker.problem().stream())
        .findFirst();
  }

  /** Whether a worker has ended without being stopped. */
  final boolean haveFailed() {
    return workers.stream().anyMatch(Worker::hasFailed);
  }

  /** Whether all have ended, after they were stopped. */
  final boolean haveEnded() {
    return workers.stream().noneMatch(worker -> worker.thread().isAlive());
  }

  /** Whether the calling thread is one of the workers. */
  final boolean isCalling() {
    return workers.stream().anyMatch(worker -> worker.thread() == Thread.currentThread());
  }

  /**
   * Waits for all to end, after they were stopped, and interrupts handlers after the close timeout.
   *
   * @param deadline the {@link System#nanoTime} at which the timeout is over
   */
  final void awaitEnd(long deadline) {
    try {
      if (!haveEndedBy(deadline)) {
        log.warn(
            "handlers have not ended within {} and are interrupted",
            DurationText.spoken(closeTimeout));
        workers.forEach(worker -> worker.thread().interrupt());
        haveEndedBy(System.nanoTime() + AFTER_INTERRUPT.toNanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean haveEndedBy(long deadline) throws InterruptedException {
    for (Worker<M> worker : workers) {
      worker.thread().join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
    }
    return haveEnded();
  }
}
