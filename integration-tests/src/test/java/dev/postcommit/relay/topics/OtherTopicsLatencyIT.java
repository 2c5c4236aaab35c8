package dev.postcommit.relay.topics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Event;
import dev.postcommit.fixture.PackFinderzIndexes;
import dev.postcommit.fixture.ScriptedPublisher;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Relay;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * How long events of other topics take while many wait for one that takes no messages. Takes a
 * quiet machine and minutes: {@code -Dlatency.waiting=20000}.
 */
@EnabledIfSystemProperty(
    named = "latency.waiting",
    matches = "\\d+",
    disabledReason = "takes a quiet machine and minutes; set -Dlatency.waiting=20000")
class OtherTopicsLatencyIT {
  private static final int WAITING = Integer.getInteger("latency.waiting", 0);
  private static final int EVENTS = 3_000;
  private static final int ROUNDS = 3;
  private static final double MOST = 1.5;

  @Nested
  class Native extends Latency {
    Native() {
      super(Samples.NATIVE);
    }
  }

  @Nested
  class Log extends Latency {
    Log() {
      super(Samples.LOG);
    }
  }

  @Nested
  class Modkit extends Latency {
    Modkit() {
      super(Samples.MODKIT);
    }
  }

  @Nested
  class Logistik extends Latency {
    Logistik() {
      super(Samples.LOGISTIK);
    }
  }

  @Nested
  class PolyShop extends Latency {
    PolyShop() {
      super(Samples.POLYSHOP);
    }
  }

  @Nested
  class PackFinderz extends Latency {
    PackFinderz() {
      super(Samples.PACKFINDERZ);
    }
  }

  @Nested
  class PackFinderzWithIndexes extends Latency {
    PackFinderzWithIndexes() {
      super(Samples.PACKFINDERZ);
    }

    @Override
    protected void createTables() {
      super.createTables();
      PackFinderzIndexes.STATEMENTS.forEach(this::execute);
    }
  }

  abstract static class Latency extends LayoutFixture {
    private final Map<String, Long> committedAt = new ConcurrentHashMap<>();
    private final Map<String, Long> arrivedAt = new ConcurrentHashMap<>();
    private final AtomicInteger probes = new AtomicInteger();

    Latency(LayoutSample sample) {
      super(sample);
    }

    private Delivery answer(Message message) {
      if (message.topic().equals("missing")) {
        probes.incrementAndGet();
        return new Delivery.TopicUnavailable("topic missing does not exist", null);
      }
      arrivedAt.put(ScriptedPublisher.id(message), System.nanoTime());
      return Delivery.DELIVERED;
    }

    @Test
    @DisplayName("the p99 of other topics stays within 1.5 times what it is without waiting events")
    void otherTopicsAreNotSlower() {
      ScriptedPublisher publisher = new ScriptedPublisher().answering(this::answer);
      double[] without = new double[ROUNDS];
      double[] with = new double[ROUNDS];
      for (int round = 0; round < ROUNDS; round++) {
        emptyAll();
        without[round] = p99(publisher);
        writeWaiting(round);
        with[round] = p99(publisher);
      }
      Arrays.sort(without);
      Arrays.sort(with);
      String figures =
          "%s: p99 in ms, %s without and %s with %d waiting events"
              .formatted(layout().name(), Arrays.toString(without), Arrays.toString(with), WAITING);
      System.out.println(figures);
      assertThat(with[ROUNDS / 2]).as(figures).isLessThan(without[ROUNDS / 2] * MOST);
    }

    private void emptyAll() {
      execute("TRUNCATE " + layout().topics().sql());
      execute("TRUNCATE " + settled().table().sql());
      layout().failures().ifPresent(table -> execute("TRUNCATE " + table.sql()));
    }

    /** Half of them of one key each, half of twenty keys. */
    private void writeWaiting(int round) {
      for (int written = 0; written < WAITING; written += 1_000) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
          int n = written + i;
          String key = n % 2 == 0 ? "own-" + round + "-" + n : "hot-" + n % 40;
          events.add(event(key).json("\"missing\"").build());
        }
        transaction(tx -> outbox().enqueueAll(tx, events));
      }
    }

    /** Waits until no more events are put off from one probe of the topic to the next. */
    private void awaitPutOff() {
      long[] last = {probes.get(), -1};
      Awaitility.await()
          .atMost(Duration.ofMinutes(2))
          .until(
              () -> {
                OutboxAdmin.Status status = admin().status();
                boolean isNext = probes.get() > last[0];
                // The probe itself is delayed, or it is being sent.
                boolean isSteady = isNext && Math.abs(status.delayed() - last[1]) <= 1;
                if (isNext) {
                  last[0] = probes.get();
                  last[1] = status.delayed();
                }
                return isSteady || status.pending() == 0;
              });
    }

    private double p99(ScriptedPublisher publisher) {
      committedAt.clear();
      arrivedAt.clear();
      Relay relay =
          Relay.builder(dataSource(), publisher)
              .layout(layout())
              .router(e -> new String(e.payload(), UTF_8).contains("missing") ? "missing" : "there")
              .build();
      relay.start();
      try {
        awaitPutOff();
        for (int i = 0; i < EVENTS; i++) {
          LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
          Event event = event("other-" + i % 100).json("\"there\"").build();
          transaction(tx -> outbox().enqueue(tx, event));
          committedAt.put(event.id().toString(), System.nanoTime());
          relay.wakeUp();
        }
        awaitUntil(() -> arrivedAt.keySet().containsAll(committedAt.keySet()));
      } finally {
        relay.close();
      }
      double[] took =
          committedAt.entrySet().stream()
              .mapToDouble(each -> (arrivedAt.get(each.getKey()) - each.getValue()) / 1e6)
              .sorted()
              .toArray();
      return took[took.length * 99 / 100];
    }
  }
}
