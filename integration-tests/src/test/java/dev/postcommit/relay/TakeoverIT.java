package dev.postcommit.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.RetryPolicy;
import dev.postcommit.fixture.ScriptedPublisher;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.store.Grants;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** How relays take over from one that is gone, in the layouts in which they hold leases. */
class TakeoverIT {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofSeconds(8);

  /** Longer than it takes to take over, and shorter than what is left of a short lease then. */
  private static final Duration TAKING_OVER = Duration.ofMillis(2_500);

  @Nested
  class Native extends Takeover {
    Native() {
      super("NATIVE", Samples.NATIVE);
    }

    @Test
    @DisplayName("an event on its last attempt waits for the end of the lease, and its key with it")
    void aLastAttemptWaits() {
      lastAttemptWaits();
    }
  }

  @Nested
  class Log extends Takeover {
    Log() {
      super("LOG", Samples.LOG);
    }
  }

  @Nested
  class Modkit extends Takeover {
    Modkit() {
      super("MODKIT", Samples.MODKIT);
    }

    @Test
    @DisplayName("an event on its last attempt waits for the end of the lease, and its key with it")
    void aLastAttemptWaits() {
      lastAttemptWaits();
    }
  }

  @SuppressWarnings("try") // a relay works without being spoken to
  abstract static class Takeover extends LayoutFixture {
    private final String name;
    private final AtomicInteger refused = new AtomicInteger();
    private ScriptedPublisher publisher = new ScriptedPublisher();

    Takeover(String name, LayoutSample sample) {
      super(sample);
      this.name = name;
    }

    @BeforeEach
    final void beginAnew() {
      publisher = new ScriptedPublisher();
      if (isLog()) {
        // Of an earlier test: the cursor's row is not emptied.
        execute("UPDATE %s_cursor SET undecided_until = NULL".formatted(layout().table()));
      }
    }

    /** A relay of another process that has sent events, and gets no answer. */
    private ChildProcess stuck(Processes processes, Duration lease) {
      ChildProcess relay =
          processes.start(
              StuckRelay.class,
              database().jdbcUrl(),
              database().username(),
              name,
              Long.toString(lease.toMillis()));
      awaitUntil(() -> StuckRelay.isSending(relay.output()));
      awaitUntil(() -> sessions() == 1);
      return relay;
    }

    private Relay survivor(Publisher to) {
      return survivor(dataSource(), to);
    }

    private Relay survivor(DataSource from, Publisher to) {
      Relay relay =
          Relay.builder(from, to)
              .layout(layout())
              .lease(LONG)
              .pollInterval(Duration.ofSeconds(1))
              .build();
      relay.start();
      awaitUntil(() -> relay.state() == Relay.State.RUNNING);
      return relay;
    }

    private long sessions() {
      return number("SELECT count(backend_pid) FROM " + layout().relays().sql());
    }

    private long number(String sql) {
      long[] number = new long[1];
      query(sql, value -> number[0] = Long.parseLong(value));
      return number[0];
    }

    /** Nothing arrives for as long as a take-over would take. */
    private void assertNothingArrives(int after) {
      Awaitility.await()
          .during(TAKING_OVER)
          .atMost(TAKING_OVER.plusSeconds(5))
          .until(() -> publisher.accepted().size() == after);
    }

    @Test
    @DisplayName("others go on within two seconds after a relay was killed, in order")
    void aKilledRelayIsReplacedAtOnce() {
      List<String> first = enqueue("a", 3);
      try (Processes processes = Processes.create()) {
        ChildProcess victim = stuck(processes, LONG);
        try (Relay survivor = survivor(publisher)) {
          List<String> later = enqueue("a", 2);
          awaitUntil(() -> sessions() == 2);
          victim.kill();
          long killedAt = System.nanoTime();
          awaitUntil(() -> publisher.accepted().size() == 5);
          Duration took = Duration.ofNanos(System.nanoTime() - killedAt);

          assertThat(publisher.accepted().subList(0, 3)).isEqualTo(first);
          assertThat(publisher.accepted().subList(3, 5)).isEqualTo(later);
          assertThat(took).isBetween(Duration.ofSeconds(1), TAKING_OVER);
          awaitUntil(() -> admin().status().pending() == 0);
        }
      }
      for (String id : first) {
        assertThat(state(id)).isEqualTo("delivered");
      }
    }

    @Test
    @DisplayName(
        "a frozen relay keeps what it holds until its lease ends, and settles nothing then")
    void aFrozenRelayIsNotReplacedBeforeItsLeaseEnds() {
      List<String> ids = enqueue("a", 3);
      try (Processes processes = Processes.create()) {
        ChildProcess frozen = stuck(processes, SHORT);
        frozen.freeze();
        try (Relay survivor = survivor(publisher)) {
          assertNothingArrives(0);
          awaitUntil(() -> admin().status().pending() == 0);
          frozen.thaw();
          awaitUntil(() -> frozen.output().contains("delivered again"));
          assertThat(publisher.accepted()).isEqualTo(ids);
          assertThat(ids).allSatisfy(id -> assertThat(state(id)).isEqualTo("delivered"));
        }
      }
    }

    @Test
    @DisplayName("a relay that only loses its session records another and keeps what it holds")
    void aLostSessionIsReplaced() {
      List<String> ids = enqueue("a", 2);
      CompletableFuture<Delivery> answer = new CompletableFuture<>();
      AtomicInteger sent = new AtomicInteger();
      ScriptedPublisher slow =
          new ScriptedPublisher()
              .deliveryTimeout(LONG.dividedBy(2))
              .completing(
                  message -> {
                    sent.incrementAndGet();
                    return answer;
                  });
      try (Relay holder = survivor(slow)) {
        awaitUntil(() -> sent.get() > 0);
        keepsWhatItHolds(holder, answer);
        awaitUntil(() -> admin().status().pending() == 0);
        assertThat(slow.accepted()).isEqualTo(ids);
      }
    }

    private void keepsWhatItHolds(Relay holder, CompletableFuture<Delivery> answer) {
      try (Relay other = survivor(as(database().username()), publisher)) {
        awaitUntil(() -> sessions() == 2);
        long before = session(holder);
        execute("SELECT pg_terminate_backend(" + before + ")");
        awaitUntil(() -> session(holder) != before);

        assertNothingArrives(0);
      }
      answer.complete(Delivery.DELIVERED);
    }

    /** Connections of a user; relays with connections of their own have sessions of their own. */
    private DataSource as(String user) {
      PGSimpleDataSource connections = new PGSimpleDataSource();
      connections.setUrl(database().jdbcUrl());
      connections.setUser(user);
      return connections;
    }

    private long session(Relay relay) {
      return number(
          "SELECT coalesce(max(backend_pid), 0) FROM %s WHERE id = '%s'"
              .formatted(layout().relays().sql(), relay.id()));
    }

    @Test
    @DisplayName("a relay that has lost its session sends nothing until another is recorded")
    void nothingIsSentWithoutASession() throws SQLException {
      try (Relay relay = survivor(publisher)) {
        awaitUntil(() -> sessions() == 1);
        long before = session(relay);
        try (Connection blocker = dataSource().getConnection()) {
          blocker.setAutoCommit(false);
          blocker
              .createStatement()
              .execute("LOCK TABLE " + layout().relays().sql() + " IN SHARE MODE");
          execute("SELECT pg_terminate_backend(" + before + ")");
          // Its new session is there, and waits to be recorded.
          awaitUntil(
              () ->
                  number(
                          "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                              + " AND query LIKE '%backend_pid%'")
                      > 0);
          enqueue("a", 2);
          assertNothingArrives(0);
          blocker.rollback();
        }
        awaitUntil(() -> publisher.accepted().size() == 2);
        assertThat(session(relay)).isNotEqualTo(before);
      }
    }

    @Test
    @DisplayName("a refused event waits for the end of the old lease, and its key with it")
    void aRefusedEventWaits() {
      List<String> ids = enqueue("a", 3);
      refuse(ids.get(0));
      ExecutorService thread = Executors.newSingleThreadExecutor();
      try (Processes processes = Processes.create()) {
        ChildProcess victim = stuck(processes, SHORT);
        try (Relay survivor = survivor(new InOrder(publisher, thread))) {
          awaitUntil(() -> sessions() == 2);
          victim.kill();
          awaitUntil(() -> refused.get() > 0);
          assertNothingArrives(0);
          assertThat(state(ids.get(0))).isEqualTo("pending");

          awaitUntil(() -> publisher.accepted().equals(ids.subList(1, 3)));
          awaitUntil(() -> state(ids.get(0)).equals("dead"));
        }
      } finally {
        thread.shutdown();
      }
    }

    @Test
    @DisplayName("an event that fails first and is refused then waits for that as well")
    void anEventThatFailsFirstWaitsToo() {
      List<String> ids = enqueue("a", 2);
      AtomicInteger attempts = new AtomicInteger();
      publisher.answering(
          message -> {
            if (!ScriptedPublisher.id(message).equals(ids.get(0))) {
              return Delivery.DELIVERED;
            }
            return attempts.getAndIncrement() == 0
                ? new Delivery.Retryable("not now", null)
                : new Delivery.Rejected("too large", null);
          });
      try (Processes processes = Processes.create()) {
        ChildProcess victim = stuck(processes, LONG);
        try (Relay survivor = survivor(publisher)) {
          awaitUntil(() -> sessions() == 2);
          victim.kill();
          awaitUntil(() -> isRecorded("too large"));

          assertThat(state(ids.get(0))).isEqualTo("pending");
          assertThat(publisher.accepted()).isEmpty();
        }
      }
    }

    private boolean isRecorded(String error) {
      Layout rows = layout().diverted().orElse(layout());
      return number(
              "SELECT count(*) FROM %s WHERE %s LIKE '%%%s%%'"
                  .formatted(rows.table().sql(), rows.sql(Role.LAST_ERROR), error))
          > 0;
    }

    private void refuse(String id) {
      refused.set(0);
      publisher.answering(
          message -> {
            if (!ScriptedPublisher.id(message).equals(id)) {
              return Delivery.DELIVERED;
            }
            refused.incrementAndGet();
            return new Delivery.Rejected("too large", null);
          });
    }

    /** A broker that keeps the order of what it is given, as Kafka's does, and may refuse some. */
    private record InOrder(ScriptedPublisher target, Executor thread) implements Publisher {
      @Override
      public CompletionStage<Delivery> send(Message message) {
        return CompletableFuture.supplyAsync(
            () -> target.send(message).toCompletableFuture().join(), thread);
      }

      @Override
      public boolean keepsOrder() {
        return true;
      }

      @Override
      public Duration deliveryTimeout() {
        return target.deliveryTimeout();
      }

      @Override
      public Optional<String> problem() {
        return Optional.empty();
      }
    }

    final void lastAttemptWaits() {
      List<String> ids = enqueue("a", 2);
      List<String> others = enqueue("b", 1);
      execute(
          "UPDATE %s SET %s = %d WHERE %s = '%s'"
              .formatted(
                  layout().table().sql(),
                  layout().sql(Role.ATTEMPTS),
                  RetryPolicy.DEFAULT.maxAttempts() - 1,
                  layout().sql(Role.ID),
                  ids.get(0)));
      try (Processes processes = Processes.create()) {
        ChildProcess victim = stuck(processes, SHORT);
        try (Relay survivor = survivor(publisher)) {
          awaitUntil(() -> sessions() == 2);
          victim.kill();
          awaitUntil(() -> publisher.accepted().equals(others));
          assertNothingArrives(1);
          assertThat(state(ids.get(0))).isNotEqualTo("dead");

          awaitUntil(() -> publisher.accepted().size() == 2);
          assertThat(publisher.accepted().get(1)).isEqualTo(ids.get(1));
          assertThat(state(ids.get(0))).isEqualTo("dead");
        }
      }
    }

    @Test
    @DisplayName("relays of different users, who do not see each other's sessions, take over too")
    void relaysOfDifferentUsersTakeOver() throws SQLException {
      String role = "other_" + database().name();
      execute("CREATE ROLE " + role + " LOGIN");
      for (String grant : Grants.relay(layout(), true, role)) {
        execute(grant);
      }
      List<String> ids = enqueue("a", 2);
      try (Processes processes = Processes.create()) {
        ChildProcess victim = stuck(processes, LONG);
        try (Relay survivor = survivor(as(role), publisher)) {
          awaitUntil(() -> sessions() == 2);
          assertNothingArrives(0);
          victim.kill();
          awaitUntil(() -> publisher.accepted().equals(ids));
        }
      } finally {
        execute("DROP OWNED BY " + role);
        execute("DROP ROLE " + role);
      }
    }

    @Test
    @DisplayName("a session of a server that was restarted since proves nothing")
    void aRestartOfTheServerProvesNothing() {
      List<String> ids = enqueue("a", 2);
      try (Processes processes = Processes.create()) {
        ChildProcess victim = stuck(processes, SHORT);
        victim.kill();
        execute(
            "UPDATE %s SET server_started_at = server_started_at - interval '1 hour'"
                .formatted(layout().relays().sql()));
        try (Relay survivor = survivor(publisher)) {
          assertNothingArrives(0);
          awaitUntil(() -> publisher.accepted().equals(ids));
        }
      }
    }
  }
}
