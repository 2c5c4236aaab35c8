package dev.postcommit.testkit.explorer.inbox;

import dev.postcommit.RetryPolicy;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.Outcome;
import dev.postcommit.consumer.WorkItem;
import dev.postcommit.consumer.inbox.IdempotencyStore;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.testkit.explorer.inbox.InboxScenario.Guard;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import dev.postcommit.testkit.explorer.scenario.Stage;
import dev.postcommit.testkit.explorer.scenario.Violation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;

/** One run of an {@link InboxScenario}. */
final class InboxPlay implements Scenario.Play {
  private static final String LAST = "last";
  private static final String TOPIC = "topic";
  private static final Duration TTL = Duration.ofDays(30);

  /** So often a consumer is given an event that is another's. */
  private static final int PATIENCE = 2;

  private static final int MOST_ATTEMPTS = 12;

  private final InboxScenario.Builder parts;
  private final Stage stage;
  private final InboxHistory history = new InboxHistory();
  private final Broker broker = new Broker();
  private final Map<String, Stage.Role> roles = new HashMap<>();
  private final Map<String, Wire> wires = new HashMap<>();
  private final Map<String, IdempotencyStore> stores = new HashMap<>();
  private final Map<String, EventConsumer> consumers = new HashMap<>();
  private final Map<String, Integer> failed = new HashMap<>();

  InboxPlay(InboxScenario.Builder parts, Stage stage) {
    this.parts = parts;
    this.stage = stage;
    parts.sent.forEach(broker::send);
    parts.producers.forEach(
        (who, events) ->
            roles.put(
                who,
                stage.actor(
                    who,
                    self -> {
                      for (String event : events) {
                        self.step(TOPIC, "send " + event);
                        broker.send(event);
                      }
                    })));
    parts.consumers.forEach((who, polls) -> add(who, self -> consume(self, polls)));
    parts.faults.forEach(fault -> add(fault.name(), self -> fault.part().play(this, self)));
    parts.consumers.keySet().forEach(this::open);
    parts.faults.stream().filter(InboxScenario.Fault::usesStore).forEach(f -> store(f.name()));
  }

  private void add(String who, Stage.Part part) {
    roles.put(who, stage.actor(who, part));
    wires.put(who, new Wire());
  }

  private void open(String who) {
    Stage.Role self = role(who);
    Inbox inbox =
        isTransactional()
            ? Inbox.transactional(
                (JdbcIdempotencyStore) store(who),
                parts.transactions.apply(
                    WiredConnections.of(self, self.connections(parts.mutation), wire(who))))
            : marking(new RecordedStore(self, store(who), history));
    consumers.put(
        who, consumer(who, inbox, event -> self.step("handler of " + event, "effect of " + event)));
  }

  private boolean isTransactional() {
    return parts.guard == Guard.TRANSACTIONAL;
  }

  private Inbox marking(IdempotencyStore store) {
    return parts.guard == Guard.MARKING ? Inbox.marking(store) : Inbox.markingFirst(store, TTL);
  }

  private EventConsumer consumer(String who, Inbox inbox, Consumer<String> step) {
    EventConsumer.Builder builder =
        EventConsumer.builder(InboxScenario.CONSUMER)
            .inbox(inbox)
            .retryPolicy(new RetryPolicy(100, Duration.ofMillis(1), Duration.ofMillis(1)));
    if (isTransactional()) {
      builder.on(Broker.TYPE, String.class, (tx, event) -> insert(who, event, tx));
    } else {
      builder.on(
          Broker.TYPE,
          String.class,
          event -> {
            String name = Broker.name(event.id());
            step.accept(name);
            failAtFirst(name);
            history.effect(name);
          });
    }
    return builder.build();
  }

  private void insert(String who, ReceivedEvent<?> event, Connection tx) throws SQLException {
    try (PreparedStatement insert = tx.prepareStatement("INSERT INTO effect VALUES (?, ?)")) {
      insert.setString(1, Broker.name(event.id()));
      insert.setString(2, who);
      insert.executeUpdate();
    }
    failAtFirst(Broker.name(event.id()));
  }

  private synchronized void failAtFirst(String event) {
    int failures = parts.failures.getOrDefault(event, 0);
    if (failed.merge(event, 1, Integer::sum) <= failures) {
      throw new IllegalStateException("not now");
    }
  }

  InboxStores stores() {
    return parts.stores();
  }

  InboxHistory history() {
    return history;
  }

  Stage.Role role(String who) {
    return Objects.requireNonNull(roles.get(who), who);
  }

  Wire wire(String who) {
    return Objects.requireNonNull(wires.get(who), who);
  }

  /** The store of an actor. */
  synchronized IdempotencyStore store(String who) {
    return stores.computeIfAbsent(who, w -> parts.stores().open(role(w), wire(w)));
  }

  private void consume(Stage.Role self, int polls) throws SQLException {
    EventConsumer consumer = Objects.requireNonNull(consumers.get(self.name()));
    for (int i = 0; i < polls; i++) {
      if (!parts.producers.isEmpty()) {
        self.step(TOPIC, "poll");
      }
      List<String> events = broker.poll(self.name(), parts.batch);
      deliver(self.name(), consumer, events, PATIENCE);
    }
  }

  /** Gives messages to a consumer until they are done, or others have taken too long with them. */
  private List<String> deliver(
      String who, EventConsumer consumer, List<String> events, int patience) throws SQLException {
    List<String> open = new ArrayList<>(events);
    Map<String, Integer> attempts = new HashMap<>();
    int left = patience;
    for (int i = 0; i < MOST_ATTEMPTS && !open.isEmpty() && left > 0; i++) {
      List<WorkItem> given = new ArrayList<>();
      for (String event : open) {
        given.add(new WorkItem(Broker.message(event), null, attempts.getOrDefault(event, 1)));
      }
      List<Outcome> outcomes = consumer.handle(given);
      boolean someAreOthers = false;
      List<String> again = new ArrayList<>();
      for (int j = 0; j < given.size(); j++) {
        String event = open.get(j);
        Outcome outcome = outcomes.get(j);
        if (outcome instanceof Outcome.Done) {
          history.outcome(who, event, outcome);
          acknowledge(who, event);
        } else if (outcome instanceof Outcome.Dead) {
          throw new Violation(who + " has given up " + event);
        } else {
          again.add(event);
          someAreOthers |= isOthers(outcome);
          if (outcome instanceof Outcome.Retry retry && retry.counts()) {
            attempts.merge(event, 2, (n, unused) -> n + 1);
          }
        }
      }
      left -= someAreOthers ? 1 : 0;
      open = again;
    }
    return open;
  }

  private static boolean isOthers(Outcome outcome) {
    return outcome instanceof Outcome.Retry retry && retry.reason().contains("by another");
  }

  /** A message is not acknowledged unless its event has had its effect. */
  private void acknowledge(String who, String event) throws SQLException {
    if (parts.guard != Guard.MARKING_FIRST && !effects().containsKey(event)) {
      throw new Violation(who + " has acknowledged " + event + ", which had no effect");
    }
  }

  private Map<String, Integer> effects() throws SQLException {
    if (!isTransactional()) {
      return history.effects();
    }
    Map<String, Integer> effects = new TreeMap<>();
    try (Statement statement = stage.unwatched().createStatement();
        ResultSet row = statement.executeQuery("SELECT event_id FROM effect")) {
      while (row.next()) {
        effects.merge(row.getString(1), 1, Integer::sum);
      }
    }
    return effects;
  }

  @Override
  public void finish() throws Exception {
    for (IdempotencyStore store : stores.values()) {
      store.close();
    }
    history.check();
    if (parts.mayStayInProgress) {
      stores().timePasses(stage);
    }
    try (IdempotencyStore store = stores().unwatched(stage)) {
      Inbox inbox =
          isTransactional() ? Inbox.transactional((JdbcIdempotencyStore) store) : marking(store);
      EventConsumer consumer = consumer(LAST, inbox, event -> {});
      for (String event : broker.events()) {
        redeliver(consumer, event, history.isCompleted(event));
      }
      stores().timePasses(stage);
      for (String event : broker.events()) {
        redeliver(consumer, event, true);
      }
    }
  }

  private void redeliver(EventConsumer consumer, String event, boolean isDone) throws SQLException {
    Map<String, Integer> before = effects();
    if (!deliver(LAST, consumer, List.of(event), 1).isEmpty()) {
      throw new Violation(event + " is in progress, and nobody handles it");
    }
    if (isDone && !effects().equals(before)) {
      throw new Violation(event + " was handled again after it was done");
    }
  }

  @Override
  public void check() throws SQLException {
    Map<String, Integer> effects = effects();
    for (String event : broker.events()) {
      int count = effects.getOrDefault(event, 0);
      if (count == 0 && !(parts.guard == Guard.MARKING_FIRST && parts.mayLose)) {
        throw new Violation(event + " was lost");
      }
      if (count > 1 && !(parts.guard == Guard.MARKING && parts.mayRepeat)) {
        throw new Violation(event + " had its effect " + count + " times");
      }
    }
    if (isTransactional() && !stores().processed(stage).equals(effects.keySet())) {
      throw new Violation(
          "%s are marked, and %s had an effect"
              .formatted(stores().processed(stage), effects.keySet()));
    }
  }

  @Override
  public String result() {
    return String.join(", ", history.outcomes());
  }
}
