package dev.postcommit.testkit.explorer;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.RetryPolicy;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.testkit.contract.LayoutSample;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * Two writers and two whole {@link Relay relays} with all their threads, of which one is killed and
 * the other loses its sessions. Each of their statements is a step, and so is each message that
 * arrives at the broker and each reply.
 */
public final class RelayScenario implements Scenario {
  private static final Duration LEASE = Duration.ofHours(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int MAX_ATTEMPTS = 100;

  /** Longer than a relay waits before it takes over what another one held. */
  private static final Duration TAKE_OVER = Duration.ofSeconds(3);

  private final String name;
  private final LayoutSample sample;
  private final OutboxTables tables;

  /** A scenario on a table of this layout. */
  public RelayScenario(String name, LayoutSample sample) {
    this.name = name;
    this.sample = sample;
    this.tables = new OutboxTables(sample.layout());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String schema() {
    return "relays on " + sample.layout().table();
  }

  @Override
  public void create(DataSource database) {
    OutboxMigration.migrate(database, sample.layout());
  }

  @Override
  public void reset(Connection connection) throws SQLException {
    tables.empty(connection);
  }

  @Override
  public Play begin(Stage stage) {
    Playing run = new Playing(stage);
    stage.actor("writer-1", self -> run.write(self, "a1", "a2", "b1"));
    stage.actor("writer-2", self -> run.write(self, "b2", "a3"));
    Stage.Role first = stage.actorWithThreads("relay-1", run::relay);
    Stage.Role second = stage.actorWithThreads("relay-2", run::relay);
    stage.actor(
        "killer",
        self -> {
          self.step("kill relay-1");
          first.kill();
        });
    stage.actor(
        "cutter",
        self -> {
          self.step("cut off relay-2");
          second.cutOff();
        });
    return run;
  }

  /** One run. */
  private final class Playing implements Play {
    private final Stage stage;
    private final Outbox outbox = Outbox.builder(sample.layout()).build();
    private final History history = new History();
    private final Map<String, Integer> sent = new HashMap<>();
    private final AtomicInteger writing = new AtomicInteger(2);
    private long ids;

    Playing(Stage stage) {
      this.stage = stage;
    }

    private synchronized UUID nextId() {
      return new UUID(0x0192_0000_0000_7000L + (++ids << 16), 0x8000_0000_0000_0000L + ids);
    }

    /** Writes each event in a transaction of its own. */
    void write(Stage.Role self, String... events) throws SQLException {
      for (String event : events) {
        String key = event.substring(0, 1);
        Event made = sample.event().apply(key).id(nextId()).json("1").build();
        try (Connection tx = self.connections().getConnection()) {
          tx.setAutoCommit(false);
          int transaction = history.beginTransaction();
          self.atNextStep(
              () -> history.inserts(made.id().toString(), event, key, transaction, null));
          outbox.enqueue(tx, made);
          tx.commit();
          history.committed(transaction);
        }
      }
      writing.decrementAndGet();
    }

    void relay(Stage.Role self) throws InterruptedException {
      try (ScheduledBroker broker = new ScheduledBroker(self);
          Relay relay =
              Relay.builder(self.connections(), broker)
                  .layout(sample.layout())
                  .batchSize(2)
                  .pollInterval(Duration.ofMillis(5))
                  .drainTimeout(Duration.ofMillis(200))
                  .retryPolicy(RetryPolicy.DEFAULT.withMaxAttempts(MAX_ATTEMPTS))
                  .build()) {
        broker.start();
        relay.start();
        awaitDeliveries(self);
        self.step("stop");
      }
    }

    /** Until nothing is left to deliver: a relay that is stopped before does nothing. */
    private void awaitDeliveries(Stage.Role self) throws InterruptedException {
      long begin = System.nanoTime();
      while ((writing.get() > 0 || isSomethingLeft())
          && !self.isKilled()
          && System.nanoTime() - begin < TAKE_OVER.toNanos()) {
        Thread.sleep(1);
      }
    }

    /** A broker that takes messages in the order in which one relay sends them. */
    private final class ScheduledBroker implements Publisher {
      private record Sent(Message message, CompletableFuture<Delivery> reply) {}

      private final Stage.Role self;
      private final BlockingQueue<Sent> queue = new LinkedBlockingQueue<>();
      private final Thread thread;

      ScheduledBroker(Stage.Role self) {
        this.self = self;
        this.thread = new Thread(this::answer, "broker");
        thread.setDaemon(true);
      }

      void start() {
        thread.start();
      }

      private void answer() {
        try {
          while (true) {
            Sent next = queue.take();
            String id = Objects.requireNonNull(next.message().headers().get("event_id"));
            String event = history.name(id);
            String channel = "key " + event.substring(0, 1);
            self.step(channel, "arrives " + event);
            history.arrived(id);
            boolean isLost = sent.merge(id, 1, Integer::sum) == 1 && event.equals("a2");
            self.step(channel, (isLost ? "loses the reply to " : "replies to ") + event);
            next.reply()
                .complete(isLost ? new Delivery.Retryable("no answer", null) : Delivery.DELIVERED);
          }
        } catch (InterruptedException | IllegalStateException e) {
          queue.forEach(
              left -> left.reply().complete(new Delivery.Unavailable("the relay is gone", null)));
        }
      }

      @Override
      public CompletionStage<Delivery> send(Message message) {
        CompletableFuture<Delivery> reply = new CompletableFuture<>();
        queue.add(new Sent(message, reply));
        return reply;
      }

      @Override
      public Optional<String> problem() {
        return Optional.empty();
      }

      @Override
      public Duration deliveryTimeout() {
        return Duration.ofSeconds(5);
      }

      @Override
      public void close() {
        thread.interrupt();
      }
    }

    @Override
    public void finish() throws Exception {
      execute(tables.expireLeases());
      history.foundCommitted(tables.ids(stage.unwatched()));
      try (OutboxStore store =
          OutboxStore.of(stage.unwatchedConnections(), sample.layout(), UUID.randomUUID())) {
        long begin = System.nanoTime();
        while (isSomethingLeft() && System.nanoTime() - begin < PATIENCE.toNanos()) {
          execute(tables.makeDue());
          Claim claim = store.claim(ClaimRequest.of(100, LEASE, MAX_ATTEMPTS));
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
      if (!statements.isEmpty()) {
        try (Statement statement = stage.unwatched().createStatement()) {
          statement.execute(String.join("; ", statements));
        }
      }
    }

    @Override
    public void check() {
      history.check(List.of(), false);
    }

    @Override
    public String result() {
      return String.join(" ", history.arrivalNames());
    }
  }
}
