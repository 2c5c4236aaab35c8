package dev.postcommit.consumer;

import static dev.postcommit.consumer.Messages.attempt;
import static dev.postcommit.consumer.Messages.id;
import static dev.postcommit.consumer.Messages.message;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.RetryPolicy;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.message.PermanentFailureException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** R43: look-up, effect and mark are one transaction. */
class TransactionalConsumerIT extends TransactionalFixture {
  private static final RetryPolicy POLICY =
      new RetryPolicy(3, Duration.ofMillis(10), Duration.ofMillis(40), 0);

  private EventConsumer consumer(TransactionalHandler<String> handler) {
    return consumer().retryPolicy(POLICY).on(Messages.TYPE, String.class, handler).build();
  }

  private static List<WorkItem> attempts(List<String> ids) {
    return ids.stream().map(Messages::attempt).toList();
  }

  private static List<String> ids(int count) {
    return Stream.generate(Messages::id).limit(count).toList();
  }

  @Test
  void effectAndMarkAreCommittedTogetherAndADuplicateDoesNothing() throws SQLException {
    EventConsumer consumer = consumer((tx, event) -> effect(tx, event));
    List<String> ids = ids(100);

    assertThat(consumer.handle(attempts(ids))).containsOnly(Outcome.Done.PROCESSED);
    assertThat(consumer.handle(attempts(ids))).containsOnly(Outcome.Done.DUPLICATE);

    assertThat(effects()).containsExactlyElementsOf(ids);
    assertThat(processed()).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(texts("SELECT DISTINCT event_type FROM processed_events"))
        .containsExactly(Messages.TYPE);
  }

  @Test
  void aBatchIsOneTransaction() throws SQLException {
    EventConsumer consumer = consumer((tx, event) -> effect(tx, event));

    consumer.handle(attempts(ids(100)));

    assertThat(texts("SELECT count(DISTINCT xmin::text) FROM effect")).containsExactly("1");
  }

  @Test
  void whatAFailedHandlerDidIsUndoneAndItsNeighboursTakeEffectOnce() throws SQLException {
    List<String> ids = ids(30);
    Set<String> failing = Set.of(ids.get(7), ids.get(8), ids.get(29));
    String dead = ids.get(15);
    EventConsumer consumer =
        consumer(
            (tx, event) -> {
              effect(tx, event);
              if (failing.contains(event.id())) {
                throw new IOException("not now");
              }
              if (dead.equals(event.id())) {
                throw new PermanentFailureException("never");
              }
            });

    List<Outcome> outcomes = consumer.handle(attempts(ids));

    for (int i = 0; i < 30; i++) {
      Class<?> expected =
          failing.contains(ids.get(i))
              ? Outcome.Retry.class
              : dead.equals(ids.get(i)) ? Outcome.Dead.class : Outcome.Done.class;
      assertThat(outcomes.get(i)).as("event %d", i).isInstanceOf(expected);
    }
    List<String> expected =
        ids.stream().filter(id -> !failing.contains(id) && !dead.equals(id)).toList();
    assertThat(effects()).containsExactlyElementsOf(expected);
    assertThat(processed()).containsExactlyInAnyOrderElementsOf(expected);
  }

  /** Fails as if the server had no more of something. */
  private static void runOut(Connection tx, String sqlState) throws SQLException {
    try (Statement statement = tx.createStatement()) {
      statement.execute(
          "DO $$ BEGIN RAISE 'no more' USING ERRCODE = '%s'; END $$".formatted(sqlState));
    }
  }

  /** Calls until all events but one are done and its attempt counts, or so many times. */
  private static List<Outcome> rounds(EventConsumer consumer, List<String> ids, int most) {
    List<String> open = new ArrayList<>(ids);
    List<Outcome> last = List.of();
    for (int i = 0; i < most; i++) {
      last = consumer.handle(attempts(open));
      for (int n = last.size() - 1; n >= 0; n--) {
        if (last.get(n) instanceof Outcome.Done) {
          open.remove(n);
        }
      }
      if (open.size() == 1 && last.stream().anyMatch(TransactionalConsumerIT::isCounted)) {
        break;
      }
    }
    return last;
  }

  @Test
  void aHandlerThatAlwaysReportsAnOutageHoldsUpNobodyAndCountsInTheEnd() throws SQLException {
    for (String sqlState : List.of("53400", "58030")) {
      execute("TRUNCATE effect");
      List<String> ids = ids(5);
      EventConsumer consumer =
          consumer(
              (tx, event) -> {
                if (event.id().equals(ids.get(1))) {
                  runOut(tx, sqlState);
                }
                effect(tx, event);
              });

      assertThat(consumer.handle(attempts(ids)))
          .as("it may be an outage")
          .allSatisfy(outcome -> assertThat(outcome).matches(each -> !isCounted(each)));
      List<Outcome> last = rounds(consumer, ids, 30);

      assertThat(last).as(sqlState).filteredOn(TransactionalConsumerIT::isCounted).hasSize(1);
      assertThat(effects()).containsExactly(ids.get(0), ids.get(2), ids.get(3), ids.get(4));
    }
  }

  private static boolean isCounted(Outcome outcome) {
    return outcome instanceof Outcome.Retry retry && retry.counts();
  }

  @Test
  void aHandlerThatAlwaysLosesTheConnectionHoldsUpNobodyAndCountsInTheEnd() throws SQLException {
    List<String> ids = ids(4);
    EventConsumer consumer =
        consumer(
            (tx, event) -> {
              effect(tx, event);
              if (event.id().equals(ids.get(1))) {
                try (Statement statement = tx.createStatement()) {
                  statement.execute("SELECT pg_terminate_backend(pg_backend_pid())");
                }
              }
            });

    assertThat(rounds(consumer, ids, 30)).anyMatch(TransactionalConsumerIT::isCounted);
    assertThat(effects()).containsExactly(ids.get(0), ids.get(2), ids.get(3));
  }

  @Test
  void aHandlerThatReportsAnOutageAllAloneCountsAfterSomeTime() {
    List<String> ids = ids(1);
    EventConsumer consumer = consumer((tx, event) -> runOut(tx, "53400"));

    assertThat(rounds(consumer, ids, 15)).noneMatch(TransactionalConsumerIT::isCounted);
    assertThat(rounds(consumer, ids, 15)).allMatch(TransactionalConsumerIT::isCounted);
  }

  @Test
  void aCommitThatAlwaysReportsAnOutageIsBlamedOnItsEvent() throws SQLException {
    execute(
        "CREATE FUNCTION run_out() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN RAISE 'no more' USING ERRCODE = '53400'; END $$");
    execute("CREATE TABLE doomed (n int)");
    execute(
        "CREATE CONSTRAINT TRIGGER run_out AFTER INSERT ON doomed DEFERRABLE INITIALLY DEFERRED"
            + " FOR EACH ROW EXECUTE FUNCTION run_out()");
    List<String> ids = ids(4);
    EventConsumer consumer =
        consumer(
            (tx, event) -> {
              effect(tx, event);
              if (event.id().equals(ids.get(2))) {
                try (Statement statement = tx.createStatement()) {
                  statement.execute("INSERT INTO doomed VALUES (1)");
                }
              }
            });

    assertThat(rounds(consumer, ids, 30)).anyMatch(TransactionalConsumerIT::isCounted);
    assertThat(effects()).containsExactly(ids.get(0), ids.get(1), ids.get(3));
  }

  @Test
  void anOutageThatAllHandlersReportIsNobodysFault() {
    EventConsumer consumer = consumer((tx, event) -> runOut(tx, "53100"));

    assertThat(rounds(consumer, ids(5), 15)).noneMatch(TransactionalConsumerIT::isCounted);
  }

  @Test
  void aHandlerThatSwallowsAnErrorOfTheDatabaseFails() throws SQLException {
    List<String> ids = ids(5);
    EventConsumer consumer =
        consumer(
            (tx, event) -> {
              effect(tx, event);
              if (event.id().equals(ids.get(2))) {
                try (Statement statement = tx.createStatement()) {
                  statement.execute("SELECT 1 / 0");
                } catch (SQLException e) {
                  // Swallowed, though the transaction is lost by it.
                }
              }
            });

    List<Outcome> outcomes = consumer.handle(attempts(ids));

    assertThat(outcomes.get(2))
        .isInstanceOfSatisfying(Outcome.Retry.class, retry -> assertThat(retry.counts()).isTrue());
    assertThat(effects()).containsExactly(ids.get(0), ids.get(1), ids.get(3), ids.get(4));
  }

  @Test
  void aCommitThatFailsIsBlamedOnTheEventThatMadeItFail() throws SQLException {
    execute("CREATE TABLE once (n int UNIQUE DEFERRABLE INITIALLY DEFERRED)");
    execute("INSERT INTO once VALUES (1)");
    List<String> ids = ids(5);
    EventConsumer consumer =
        consumer(
            (tx, event) -> {
              effect(tx, event);
              if (event.id().equals(ids.get(2))) {
                try (Statement statement = tx.createStatement()) {
                  statement.execute("INSERT INTO once VALUES (1)");
                }
              }
            });

    List<Outcome> outcomes = consumer.handle(attempts(ids));

    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Retry.class);
    assertThat(effects()).containsExactly(ids.get(0), ids.get(1), ids.get(3), ids.get(4));
  }

  @Test
  void handlersCannotEndTheTransaction() throws SQLException {
    List<TransactionalHandler<String>> endings =
        List.of(
            (tx, event) -> tx.commit(),
            (tx, event) -> tx.rollback(),
            (tx, event) -> tx.close(),
            (tx, event) -> tx.setAutoCommit(true));
    for (TransactionalHandler<String> ending : endings) {
      Outcome outcome =
          consumer(
                  (tx, event) -> {
                    effect(tx, event);
                    ending.handle(tx, event);
                  })
              .handle(message(id()));
      assertThat(outcome)
          .isInstanceOfSatisfying(
              Outcome.Retry.class, r -> assertThat(r.reason()).contains("is not for handlers"));
    }
    assertThat(effects()).isEmpty();
  }

  @Test
  void aSavepointMayBeUsed() throws SQLException {
    EventConsumer consumer =
        consumer(
            (tx, event) -> {
              var before = tx.setSavepoint();
              effect(tx, event);
              tx.rollback(before);
              effect(tx, event);
            });
    String id = id();

    assertThat(consumer.handle(message(id))).isEqualTo(Outcome.Done.PROCESSED);
    assertThat(effects()).containsExactly(id);
  }

  @Test
  void aConnectionThatBreaksUnderTheHandlerIsNotItsFault() throws SQLException {
    Set<String> killed = ConcurrentHashMap.newKeySet();
    EventConsumer consumer =
        consumer(
            (tx, event) -> {
              effect(tx, event);
              if (killed.add("once")) {
                end(pid(tx));
              }
              effect(tx, event);
            });
    String id = id();

    assertThat(consumer.handle(message(id)))
        .isInstanceOfSatisfying(Outcome.Retry.class, r -> assertThat(r.counts()).isFalse());
    assertThat(effects()).isEmpty();
    assertThat(consumer.handle(message(id))).isEqualTo(Outcome.Done.PROCESSED);
    assertThat(effects()).containsExactly(id, id);
  }

  @Test
  void aConnectionThatBreaksAtTheCommitIsNoFailedAttempt() throws SQLException {
    Set<String> killed = ConcurrentHashMap.newKeySet();
    EventConsumer consumer =
        consumer(
            (tx, event) -> {
              effect(tx, event);
              if (killed.add("once")) {
                end(pid(tx));
              }
            });
    List<String> ids = ids(3);

    assertThat(consumer.handle(attempts(ids)))
        .allSatisfy(
            outcome ->
                assertThat(outcome)
                    .isInstanceOfSatisfying(
                        Outcome.Retry.class, r -> assertThat(r.counts()).isFalse()));
    assertThat(consumer.handle(attempts(ids))).containsOnly(Outcome.Done.PROCESSED);
    assertThat(effects()).containsExactlyElementsOf(ids);
  }

  private static int pid(Connection tx) throws SQLException {
    try (Statement statement = tx.createStatement();
        var row = statement.executeQuery("SELECT pg_backend_pid()")) {
      row.next();
      return row.getInt(1);
    }
  }

  private void end(int pid) throws SQLException {
    execute("SELECT pg_terminate_backend(%d, 5000)".formatted(pid));
  }

  /** A frozen consumer must not block another for ever, nor must its event be handled by both. */
  @Test
  void anEventInAnotherTransactionIsLeftToIt() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    EventConsumer slow =
        consumer(
            (tx, event) -> {
              effect(tx, event);
              begun.countDown();
              end.await();
            });
    EventConsumer other = consumer((tx, event) -> effect(tx, event));
    List<String> ids = ids(4);
    CompletableFuture<Outcome> first =
        CompletableFuture.supplyAsync(() -> slow.handle(message(ids.get(1))));
    assertThat(begun.await(20, SECONDS)).isTrue();

    List<Outcome> outcomes = other.handle(attempts(ids));
    end.countDown();

    assertThat(outcomes.get(1))
        .isInstanceOfSatisfying(Outcome.Retry.class, r -> assertThat(r.counts()).isFalse());
    assertThat(outcomes).filteredOn(o -> o == Outcome.Done.PROCESSED).hasSize(3);
    assertThat(first.get(20, SECONDS)).isEqualTo(Outcome.Done.PROCESSED);
    assertThat(other.handle(message(ids.get(1)))).isEqualTo(Outcome.Done.DUPLICATE);
    assertThat(effects()).containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  void handlersThatLockRowsInOppositeOrderBothGetThrough() throws Exception {
    execute("CREATE TABLE account (n int PRIMARY KEY, balance int NOT NULL)");
    execute("INSERT INTO account SELECT n, 0 FROM generate_series(0, 9) n");
    TransactionalHandler<String> pay =
        (tx, event) -> {
          effect(tx, event);
          try (Statement statement = tx.createStatement()) {
            statement.execute("UPDATE account SET balance = balance + 1 WHERE n = " + event.data());
          }
        };
    List<CompletableFuture<Void>> ends = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      boolean backwards = i % 2 == 1;
      List<WorkItem> items =
          IntStream.range(0, 200)
              .map(n -> backwards ? 9 - n % 10 : n % 10)
              .mapToObj(n -> new WorkItem(message(id(), Messages.TYPE, "" + n)))
              .toList();
      ends.add(CompletableFuture.runAsync(() -> Messages.awaitDone(consumer(pay), items)));
    }
    for (CompletableFuture<Void> end : ends) {
      end.get(60, SECONDS);
    }
    assertThat(effects()).doesNotHaveDuplicates().hasSize(800);
    assertThat(texts("SELECT DISTINCT balance FROM account")).containsExactly("80");
  }

  @Test
  void anIdThatTheTableCannotHoldIsDeadLettered() throws SQLException {
    EventConsumer consumer = consumer((tx, event) -> effect(tx, event));
    String id = id();

    List<Outcome> outcomes = consumer.handle(List.of(attempt("no-uuid"), attempt(id)));

    assertThat(outcomes.get(0)).isInstanceOf(Outcome.Dead.class);
    assertThat(outcomes.get(1)).isEqualTo(Outcome.Done.PROCESSED);
    assertThat(effects()).containsExactly(id);
  }

  @Test
  void aHandlerThatTakesATransactionNeedsAnInboxThatHasOne() {
    EventConsumer.Builder builder =
        EventConsumer.builder("inventory")
            .inbox(Inbox.none())
            .on(Messages.TYPE, String.class, (tx, event) -> effect(tx, event));

    assertThatThrownBy(builder::build)
        .hasMessage(
            "the handlers of order.placed take a transaction, which only Inbox.transactional(…)"
                + " has");
  }

  @Test
  void aTableIsOneConsumersAlone() {
    EventConsumer.Builder builder =
        EventConsumer.builder("another")
            .inbox(transactional())
            .on(Messages.TYPE, String.class, (tx, event) -> effect(tx, event));

    assertThatThrownBy(builder::build)
        .hasMessageContaining("inventory")
        .hasMessageContaining("another");
  }
}
