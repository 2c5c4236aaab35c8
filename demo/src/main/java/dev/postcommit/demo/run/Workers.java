package dev.postcommit.demo.run;

import dev.postcommit.Outbox;
import dev.postcommit.demo.orders.OrderWriter;
import dev.postcommit.demo.orders.Pace;
import dev.postcommit.demo.orders.Tally;
import dev.postcommit.demo.servers.DemoBroker;
import dev.postcommit.demo.servers.DemoServers;
import dev.postcommit.testkit.ledger.Deliveries;
import dev.postcommit.testkit.ledger.Ledger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The threads of the demo's own process: the writers and the consumer. */
final class Workers implements AutoCloseable {
  static final int WRITERS = 4;

  private static final Duration LAST_MESSAGES = Duration.ofSeconds(30);

  private final ExecutorService executor = Executors.newFixedThreadPool(WRITERS + 1);
  private final List<Future<?>> writers = new ArrayList<>();
  private final List<Pace> paces = new ArrayList<>();
  private final Future<?> consumer;

  /** Starts them all. */
  Workers(
      DemoOptions options, DemoServers servers, Ledger ledger, Tally tally, Deliveries deliveries) {
    consumer = executor.submit(deliveries);
    for (int i = 0; i < WRITERS; i++) {
      int quota = options.events() / WRITERS + (i < options.events() % WRITERS ? 1 : 0);
      Pace pace = new Pace(quota, options.writingTime());
      paces.add(pace);
      writers.add(
          executor.submit(
              new OrderWriter(
                  "order-" + (char) ('a' + i),
                  DemoBroker.poisons(options.broker()),
                  quota,
                  options.seed() * WRITERS + i,
                  // Poisonous events must get as far as the broker.
                  Outbox.builder(options.layout()).withoutTopicCheck().build(),
                  servers.postgres().dataSource(),
                  ledger,
                  tally,
                  pace)));
    }
  }

  boolean areWritersDone() {
    return writers.stream().allMatch(Future::isDone);
  }

  /** Throws the failure of a worker, if there is one. */
  void check() throws InterruptedException {
    for (Future<?> writer : writers) {
      if (writer.isDone()) {
        await(writer);
      }
    }
    if (consumer.isDone()) {
      await(consumer);
    }
  }

  /** Waits until the consumer has read everything. */
  void awaitConsumer() throws InterruptedException {
    await(consumer);
  }

  private static void await(Future<?> worker) throws InterruptedException {
    try {
      worker.get(LAST_MESSAGES.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a worker failed: " + e.getCause(), e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException("the consumer did not reach the end of the topic", e);
    }
  }

  @Override
  public void close() {
    paces.forEach(Pace::stop);
    executor.shutdownNow();
    try {
      if (!executor.awaitTermination(LAST_MESSAGES.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("a worker did not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
