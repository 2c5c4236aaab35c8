package dev.postcommit.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Event;
import dev.postcommit.RetryPolicy;
import dev.postcommit.fixture.ScriptedPublisher;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.ledger.Ledger;
import dev.postcommit.testkit.ledger.LedgerReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * Many keys, one to four relays, and a broker that fails at random: per key the first deliveries
 * come in the order of writing. The seed is in the failure's message; set {@code -Dorder.seed} to
 * run it again.
 */
public abstract class RandomOrder extends LayoutFixture {
  private static final int EVENTS = 2_000;
  private static final int KEYS = 40;
  private static final int DEFERRED = 100;

  /** The same for one layout. */
  protected RandomOrder(LayoutSample sample) {
    super(sample);
  }

  /** Starts one of the relays. */
  protected Relay.Builder relay(Publisher publisher) {
    return Relay.builder(relayConnections(), publisher).layout(layout());
  }

  @RepeatedTest(4)
  @DisplayName("R40: order per key holds with random failures and one to four relays")
  void orderPerKeyHolds(RepetitionInfo repetition) {
    long seed = Long.getLong("order.seed", System.nanoTime() + repetition.getCurrentRepetition());
    Random random = new Random(seed);
    Ledger ledger = Ledger.create();
    Map<String, Integer> fates = write(random, ledger);
    ScriptedPublisher publisher = new ScriptedPublisher();
    publisher.completing(message -> answer(message, fates, ledger));

    List<Relay> relays = new ArrayList<>();
    int count = repetition.getCurrentRepetition();
    try {
      for (int i = 0; i < count; i++) {
        Relay relay =
            relay(publisher)
                .batchSize(1 + random.nextInt(200))
                .batchesInFlight(1 + random.nextInt(4))
                .lease(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(5))
                .retryPolicy(new RetryPolicy(50, Duration.ofMillis(1), Duration.ofMillis(20)))
                .build();
        relays.add(relay);
        relay.start();
      }
      Awaitility.await("seed " + seed)
          .atMost(Duration.ofSeconds(60))
          .until(() -> admin().status().pending() == 0);
    } finally {
      relays.forEach(Relay::close);
    }
    admin().deadIds(DeadFilter.all(), Integer.MAX_VALUE).forEach(ledger::dead);

    LedgerReport report = ledger.report();
    assertThat(report.clean()).as("seed %d, %d relays: %s", seed, count, report).isTrue();
    assertThat(report.duplicates()).as("seed %d", seed).isZero();
  }

  /**
   * Writes the events; each event's fate is how often it fails, or -1 if it is refused, or that the
   * broker defers it once.
   */
  private Map<String, Integer> write(Random random, Ledger ledger) {
    Map<String, Integer> fates = new ConcurrentHashMap<>();
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      String key = "key-" + random.nextInt(KEYS);
      Event event = event(key).json("{\"n\":" + i + "}").build();
      int dice = random.nextInt(100);
      int fate = i % 400 == 200 ? DEFERRED : dice < 2 ? -1 : dice < 10 ? 1 + random.nextInt(3) : 0;
      fates.put(event.id().toString(), fate);
      ledger.committed(event.id().toString(), key(event), i);
      if (fate < 0) {
        ledger.expectedDead(event.id().toString());
      }
      events.add(event);
    }
    transaction(tx -> outbox().enqueueAll(tx, events));
    return fates;
  }

  private static String key(Event event) {
    return event.key() == null ? String.valueOf(event.tenant()) : event.key();
  }

  private static CompletionStage<Delivery> answer(
      Message message, Map<String, Integer> fates, Ledger ledger) {
    String id = ScriptedPublisher.id(message);
    int fate = fates.get(id);
    Executor later = CompletableFuture.delayedExecutor(id.hashCode() & 3, TimeUnit.MILLISECONDS);
    return CompletableFuture.supplyAsync(
        () -> {
          if (fate < 0) {
            return new Delivery.Rejected("refused", null);
          }
          if (fate == DEFERRED) {
            fates.put(id, 0);
            return new Delivery.Deferred("no leader", null);
          }
          if (fate > 0) {
            fates.put(id, fate - 1);
            return new Delivery.Retryable("not now", null);
          }
          ledger.delivered(id.toString(), message.key());
          return Delivery.DELIVERED;
        },
        later);
  }
}
