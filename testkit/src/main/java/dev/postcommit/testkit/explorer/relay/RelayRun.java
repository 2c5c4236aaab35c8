package dev.postcommit.testkit.explorer.relay;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.RetryPolicy;
import dev.postcommit.relay.Relay;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.testkit.explorer.oracle.CursorCheck;
import dev.postcommit.testkit.explorer.oracle.History;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import dev.postcommit.testkit.explorer.scenario.Stage;
import dev.postcommit.testkit.explorer.scenario.Violation;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One run of a {@link RelayScenario}. */
final class RelayRun implements Scenario.Play {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int MAX_ATTEMPTS = 100;

  /** How long relays deliver nothing before leases are made to end, and how often they are. */
  private static final Duration QUIET = Duration.ofMillis(60);

  private static final int MOST_ENDS = 4;

  /** Longer than a relay waits before it takes over what another one held. */
  private static final Duration TAKE_OVER = Duration.ofSeconds(3);

  private static final RetryPolicy RETRIES =
      new RetryPolicy(MAX_ATTEMPTS, Duration.ofMillis(5), Duration.ofMillis(5));

  private final RelayScenario scenario;
  private final Stage stage;
  private final Outbox outbox;
  private final History history = new History();
  private final AtomicInteger writing = new AtomicInteger(2);
  private final RelayBroker.Topic topic = new RelayBroker.Topic(history, "a2");
  private long ids;

  RelayRun(RelayScenario scenario, Stage stage) {
    this.scenario = scenario;
    this.stage = stage;
    this.outbox = Outbox.builder(scenario.sample().layout()).build();
  }

  private synchronized UUID nextId() {
    return new UUID(0x0192_0000_0000_7000L + (++ids << 16), 0x8000_0000_0000_0000L + ids);
  }

  /** Writes each event in a transaction of its own. */
  void write(Stage.Role self, String... events) throws SQLException {
    for (String event : events) {
      String key = event.substring(0, 1);
      Event made = scenario.sample().event().apply(key).id(nextId()).json("1").build();
      try (Connection tx = self.connections().getConnection()) {
        tx.setAutoCommit(false);
        int transaction = history.beginTransaction();
        self.atNextStep(() -> history.inserts(made.id().toString(), event, key, transaction, null));
        outbox.enqueue(tx, made);
        tx.commit();
        history.committed(transaction);
      }
    }
    writing.decrementAndGet();
  }

  /** Relays until everything is delivered, or there is nothing more to be expected. */
  void relay(Stage.Role self, boolean keepsOrder) throws Exception {
    try (RelayBroker broker = new RelayBroker(self, topic, keepsOrder);
        Relay relay =
            Relay.builder(self.connections(scenario.mutation()), broker)
                .layout(scenario.sample().layout())
                .batchSize(2)
                .batchesInFlight(2)
                .pollInterval(Duration.ofMillis(10))
                .drainTimeout(Duration.ofMillis(50))
                .retention(null)
                .retryPolicy(RETRIES)
                .build()) {
      broker.start();
      relay.start();
      awaitDeliveries(self);
      self.step("stop");
    }
  }

  private void awaitDeliveries(Stage.Role self) throws InterruptedException {
    Duration quiet = scenario.leasesEnd() ? QUIET : TAKE_OVER;
    int most = scenario.leasesEnd() ? MOST_ENDS : 0;
    int ends = 0;
    int seen = -1;
    long since = System.nanoTime();
    while (writing.get() > 0 || isSomethingLeft()) {
      self.requireAlive();
      int arrived = history.arrivalNames().size();
      if (arrived != seen || writing.get() > 0) {
        seen = arrived;
        since = System.nanoTime();
      } else if (System.nanoTime() - since > quiet.toNanos()) {
        if (ends++ == most) {
          return;
        }
        endLeases(self);
        since = System.nanoTime();
      }
      Thread.sleep(2);
    }
  }

  /** All leases end: relays that go on do not know. */
  void endLeases(Stage.Role self) {
    try (Connection connection = self.connections(scenario.mutation()).getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(String.join("; ", scenario.tables().expireLeases()));
    } catch (SQLException e) {
      // Its session was cut off.
      self.note(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public void finish() throws Exception {
    execute(scenario.tables().expireLeases());
    history.foundCommitted(scenario.tables().ids(stage.unwatched()));
    try (OutboxStore store =
        OutboxStore.of(
            stage.unwatchedConnections(), scenario.sample().layout(), UUID.randomUUID())) {
      long begin = System.nanoTime();
      while (isSomethingLeft() && System.nanoTime() - begin < PATIENCE.toNanos()) {
        execute(scenario.tables().makeDue());
        Claim claim = store.claim(ClaimRequest.of(100, Duration.ofHours(1), MAX_ATTEMPTS));
        List<String> claimed = claim.events().stream().map(StoredEvent::id).toList();
        claimed.forEach(history::arrived);
        store.settle(claim, claimed.stream().map(Outcome.Delivered::new).toList());
      }
    }
  }

  private boolean isSomethingLeft() {
    Set<String> left = history.committed();
    left.removeAll(history.arrivals());
    return !left.isEmpty();
  }

  private void execute(List<String> statements) throws SQLException {
    try (Statement statement = stage.unwatched().createStatement()) {
      statement.execute(String.join("; ", statements));
    }
  }

  @Override
  public void check() throws SQLException {
    @Nullable Violation violation = topic.violation();
    if (violation != null) {
      throw violation;
    }
    history.check(List.of(), false);
    if (scenario.sample().layout().isLog()) {
      new CursorCheck(scenario.sample().layout(), history).check(stage.unwatched());
    }
  }

  @Override
  public String result() {
    return String.join(" ", history.arrivalNames());
  }
}
