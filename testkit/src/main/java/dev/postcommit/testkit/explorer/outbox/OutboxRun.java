package dev.postcommit.testkit.explorer.outbox;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.PostcommitException;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.explorer.oracle.History;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import dev.postcommit.testkit.explorer.scenario.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** One run of an {@link OutboxScenario}. */
final class OutboxRun implements Scenario.Play, OutboxPlay {
  private static final int LAST_CLAIMS = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final OutboxScenario scenario;
  private final LayoutSample sample;
  private final OutboxTables tables;
  private final Stage stage;
  private final History history = new History();
  private final Map<String, Stage.Role> roles = new HashMap<>();
  private final Replies replies;
  private final List<Survivor> survivors = new ArrayList<>();
  private long ids;

  OutboxRun(OutboxScenario scenario, Stage stage) {
    this.scenario = scenario;
    this.sample = scenario.sample();
    this.tables = new OutboxTables(sample.layout());
    this.stage = stage;
    this.replies = new Replies(scenario.replies(), history);
  }

  void add(String who, Stage.Part part) {
    roles.put(who, stage.actor(who, part));
  }

  @Override
  public Stage.Role role(String who) {
    return Objects.requireNonNull(roles.get(who), who);
  }

  @Override
  public OutboxTables tables() {
    return tables;
  }

  @Override
  public History history() {
    return history;
  }

  @Override
  public LayoutSample sample() {
    return sample;
  }

  @Override
  public Layout layout() {
    return sample.layout();
  }

  @Override
  public UnaryOperator<String> mutation() {
    return scenario.mutation();
  }

  @Override
  public int attempts(String namespace) {
    return scenario.attempts(namespace);
  }

  @Override
  public synchronized void survives(Survivor relay) {
    survivors.add(relay);
  }

  @Override
  public OutboxScenario.Writer writer(Stage.Role self) {
    return new TransactionWriter(this, self);
  }

  @Override
  public synchronized UUID nextId() {
    return new UUID(0x0192_0000_0000_7000L + (++ids << 16), 0x8000_0000_0000_0000L + ids);
  }

  @Override
  public Outcome reply(String relay, StoredEvent event) {
    return replies.to(relay, event);
  }

  @Override
  public void finish() throws Exception {
    history.releasedAll();
    execute(tables.expireLeases());
    history.foundCommitted(tables.ids(stage.unwatched()));
    List<Survivor> last = new ArrayList<>(survivors);
    if (last.isEmpty()) {
      last.add(
          new Survivor(
              OutboxStore.of(stage.unwatchedConnections(), sample.layout(), UUID.randomUUID()),
              ClaimRequest.of(100, OutboxScenario.LEASE, attempts("")),
              () -> {}));
    }
    try {
      long begin = System.nanoTime();
      for (int i = 0; i < LAST_CLAIMS && isSomethingLeft(); i++) {
        execute(tables.makeDue());
        boolean isEmpty = deliver(last.get(i % last.size()));
        if (isEmpty && System.nanoTime() - begin > PATIENCE.toNanos()) {
          return;
        }
      }
    } finally {
      last.forEach(relay -> relay.store().close());
    }
  }

  @Override
  public void write(String event) throws SQLException {
    Event made = sample.event().apply(event.substring(0, 1)).id(nextId()).json("{}").build();
    int transaction = history.beginTransaction();
    String key = made.namespace() + "/" + event.substring(0, 1);
    history.inserts(made.id().toString(), event, key, transaction, null);
    try (Connection tx = stage.unwatchedConnections().getConnection()) {
      tx.setAutoCommit(false);
      Outbox.builder(sample.layout()).build().enqueue(tx, made);
      tx.commit();
    }
    history.committed(transaction);
  }

  @Override
  public boolean deliver(Survivor relay) {
    relay.pause().run();
    Claim claim;
    try {
      claim = relay.store().claim(relay.request());
    } catch (PostcommitException e) {
      // Its sessions were cut off, so it has others the next time.
      return true;
    }
    HashSet<String> stopped = new HashSet<>();
    List<Outcome> outcomes = new ArrayList<>();
    for (StoredEvent event : claim.events()) {
      String key = String.valueOf(event.key());
      Outcome outcome = stopped.contains(key) ? new Outcome.Released(event.id()) : reply("", event);
      if (!(outcome instanceof Outcome.Delivered)) {
        stopped.add(key);
      }
      outcomes.add(outcome);
    }
    relay.store().settle(claim, outcomes);
    return claim.isEmpty();
  }

  private boolean isSomethingLeft() throws SQLException {
    Set<String> left = history.committed();
    left.removeAll(history.arrivals());
    if (!left.isEmpty()) {
      left.retainAll(tables.ids(stage.unwatched()));
      left.removeAll(dead());
    }
    return !left.isEmpty();
  }

  private List<String> dead() {
    return OutboxAdmin.of(stage.unwatchedConnections(), sample.layout())
        .deadIds(DeadFilter.all(), 1_000);
  }

  private void execute(List<String> statements) throws SQLException {
    if (!statements.isEmpty()) {
      try (Statement statement = stage.unwatched().createStatement()) {
        statement.execute(String.join("; ", statements));
      }
    }
  }

  @Override
  public void check() throws SQLException {
    Connection connection = stage.unwatched();
    List<String> dead = scenario.someMayDie() ? dead() : List.of();
    if (!dead.isEmpty()) {
      tables.tried(connection, this::attempts).forEach(history::mayDie);
    }
    if (history.isDecided()) {
      history.checkAudit(
          OutboxAdmin.of(stage.unwatchedConnections(), sample.layout()).audit(1_000));
    }
    history.check(dead, scenario.isOnce());
  }

  @Override
  public String result() {
    return String.join(" ", history.arrivalNames());
  }
}
