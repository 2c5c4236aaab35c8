package dev.postcommit.bench;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.store.StoredEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.StringDeserializer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How long an event takes from its commit to a consumer under a steady load. */
@Command(
    name = "latency",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description = {
      "Writes events at a fixed rate, one to a transaction, whether or not earlier ones have come",
      "through, and measures the time from the end of the commit to a consumer, and from the moment",
      "the event should have been written."
    })
final class LatencyCommand implements Callable<Integer> {
  private static final int WRITERS = 8;
  private static final long NANOS = 1_000_000_000L;

  @Option(names = "--rate", description = "events a second")
  private int rate = 1_000;

  @Option(names = "--seconds", description = "seconds that count, after a few that do not")
  private int seconds = 20;

  @Option(names = "--bytes", description = "size of a payload")
  private int bytes = 300;

  private static final int WARM_UP_SECONDS = 30;

  @Override
  public Integer call() throws Exception {
    int events = rate * (seconds + WARM_UP_SECONDS);
    Times times = new Times(events);
    Stages stages = new Stages();
    try (Servers servers = Servers.start();
        KafkaPublisher publisher = servers.publisher();
        Relay relay = Relay.builder(servers.dataSource(), publisher).listener(stages).build()) {
      Thread consumer = new Thread(() -> consume(servers, times), "consumer");
      consumer.start();
      relay.start();
      System.out.printf("%,d events/s for %d s ...%n", rate, seconds + WARM_UP_SECONDS);
      write(servers.dataSource(), times);
      consumer.join(Duration.ofSeconds(60).toMillis());
    }
    int exit = print(times);
    stages.print();
    return exit;
  }

  /** Where the relay spends its time. */
  private static final class Stages implements RelayListener {
    private final Histogram claims = new ConcurrentHistogram(NANOS * 60, 3);
    private final Histogram batches = new ConcurrentHistogram(100_000, 3);
    private final Histogram broker = new ConcurrentHistogram(NANOS * 60, 3);
    private final Histogram settlements = new ConcurrentHistogram(NANOS * 60, 3);

    @Override
    public void claimed(int events, Duration took) {
      claims.recordValue(took.toNanos());
      batches.recordValue(events);
    }

    @Override
    public void answered(StoredEvent event, Delivery delivery, Duration took) {
      broker.recordValue(took.toNanos());
    }

    @Override
    public void settled(int events, Duration took) {
      settlements.recordValue(took.toNanos());
    }

    private void print() {
      System.out.printf(
          "%nof that, warm-up included (batches of %.1f on average):%n", batches.getMean());
      line("claim", claims);
      line("broker", broker);
      line("settle", settlements);
    }
  }

  /** When each event should have been written, was committed, and arrived. */
  private static final class Times {
    private final int events;
    private final AtomicLongArray intended;
    private final AtomicLongArray committed;
    private final AtomicLongArray arrived;
    private final AtomicInteger arrivals = new AtomicInteger();

    Times(int events) {
      this.events = events;
      intended = new AtomicLongArray(events);
      committed = new AtomicLongArray(events);
      arrived = new AtomicLongArray(events);
    }
  }

  private void write(DataSource dataSource, Times times) throws InterruptedException {
    Outbox outbox = Outbox.create();
    AtomicInteger next = new AtomicInteger();
    long start = System.nanoTime() + NANOS;
    String pad = "x".repeat(bytes);
    List<Thread> writers = new ArrayList<>();
    for (int w = 0; w < WRITERS; w++) {
      Thread writer =
          new Thread(
              () -> {
                try (Connection tx = dataSource.getConnection()) {
                  tx.setAutoCommit(false);
                  for (int i = next.getAndIncrement();
                      i < times.events;
                      i = next.getAndIncrement()) {
                    long due = start + i * NANOS / rate;
                    for (long left = due - System.nanoTime();
                        left > 0;
                        left = due - System.nanoTime()) {
                      LockSupport.parkNanos(left);
                    }
                    times.intended.set(i, due);
                    outbox.enqueue(
                        tx,
                        Event.builder("bench.event")
                            .topic(Servers.TOPIC)
                            .key("k" + i % 500)
                            .json("{\"n\":" + i + ",\"pad\":\"" + pad + "\"}")
                            .build());
                    tx.commit();
                    times.committed.set(i, System.nanoTime());
                  }
                } catch (SQLException e) {
                  throw new IllegalStateException(e);
                }
              },
              "writer-" + w);
      writers.add(writer);
      writer.start();
    }
    for (Thread writer : writers) {
      writer.join();
    }
  }

  private static void consume(Servers servers, Times times) {
    Map<String, Object> settings =
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, servers.bootstrapServers(),
            ConsumerConfig.GROUP_ID_CONFIG, "bench",
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.subscribe(List.of(Servers.TOPIC));
      while (times.arrivals.get() < times.events) {
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
          long now = System.nanoTime();
          String body = record.value();
          int n = Integer.parseInt(body.substring(5, body.indexOf(',')));
          if (times.arrived.compareAndSet(n, 0, now)) {
            times.arrivals.incrementAndGet();
          }
        }
      }
    }
  }

  private int print(Times times) {
    Histogram fromCommit = new Histogram(NANOS * 60, 3);
    Histogram fromIntended = new Histogram(NANOS * 60, 3);
    int lost = 0;
    for (int i = rate * WARM_UP_SECONDS; i < times.events; i++) {
      long arrived = times.arrived.get(i);
      if (arrived == 0) {
        lost++;
        continue;
      }
      fromCommit.recordValue(Math.max(0, arrived - times.committed.get(i)));
      fromIntended.recordValue(Math.max(0, arrived - times.intended.get(i)));
    }
    System.out.printf(
        "%n%,d events/s, %d bytes, %,d measured%n", rate, bytes, fromCommit.getTotalCount());
    line("commit to consumer", fromCommit);
    line("due to be written to consumer", fromIntended);
    if (lost > 0) {
      System.out.printf("%d events did not arrive%n", lost);
    }
    return lost > 0 ? 1 : 0;
  }

  private static void line(String name, Histogram histogram) {
    System.out.printf(
        "%-30s p50 %6.1f ms   p95 %6.1f ms   p99 %6.1f ms   p99.9 %6.1f ms   max %6.1f ms%n",
        name,
        histogram.getValueAtPercentile(50) / 1e6,
        histogram.getValueAtPercentile(95) / 1e6,
        histogram.getValueAtPercentile(99) / 1e6,
        histogram.getValueAtPercentile(99.9) / 1e6,
        histogram.getMaxValue() / 1e6);
  }
}
