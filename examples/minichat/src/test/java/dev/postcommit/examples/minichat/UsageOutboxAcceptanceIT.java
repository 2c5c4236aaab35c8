package dev.postcommit.examples.minichat;

import static dev.postcommit.examples.minichat.Fixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.examples.minichat.History.Settled;
import dev.postcommit.examples.minichat.billing.Billing;
import dev.postcommit.examples.minichat.chat.Ending;
import dev.postcommit.examples.minichat.chat.Finalised;
import dev.postcommit.examples.minichat.chat.Turn;
import dev.postcommit.examples.minichat.jdbc.Sql;
import dev.postcommit.examples.minichat.usage.TokenUsage;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.testkit.process.ChildProcess;
import java.io.IOException;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The acceptance criteria of Mini Chat's usage outbox, each by its own words. */
@DisplayName("R57: Mini Chat, Transactional Outbox Pattern")
class UsageOutboxAcceptanceIT {
  private Fixture miniChat;

  @BeforeEach
  void begin() throws SQLException {
    miniChat = new Fixture();
  }

  @AfterEach
  void end() {
    miniChat.close();
  }

  /** R1, R4, R5: the transaction ids of the rows tell that they were written together. */
  @Test
  @DisplayName(
      "For any domain operation defined to emit an outbox event, at most one modkit_outbox_events"
          + " row exists per logical domain event (identified by dedupe_key), enforced by the"
          + " partial unique index; on successful first commit, exactly one row is persisted in the"
          + " same DB transaction as that operation's side effects.")
  void everyFinalisationWritesOneEventInItsOwnTransaction() throws SQLException {
    List<Ending> endings =
        List.of(
            Fixture.COMPLETED,
            new Ending.Failed(null),
            new Ending.Failed(TokenUsage.of(50, 10)),
            new Ending.Aborted(null),
            new Ending.Aborted(TokenUsage.of(50, 30)));
    for (Ending ending : endings) {
      UUID turnId = miniChat.reserve();
      assertThat(miniChat.service.finalise(turnId, ending)).isInstanceOf(Finalised.Settled.class);
      assertThat(miniChat.service.finalise(turnId, ending))
          .isInstanceOf(Finalised.AlreadyFinal.class);

      Turn turn = miniChat.service.turn(turnId);
      assertThat(miniChat.hasEventOfItsTransaction(turn)).isTrue();
      assertThatThrownBy(() -> miniChat.insertAgain(turn))
          .hasMessageContaining("modkit_outbox_events_dedupe");
    }
    assertThat(miniChat.events("true")).isEqualTo(endings.size());

    UUID turnId = miniChat.reserve();
    Sql.transact(miniChat.chat, tx -> Sql.update(tx, "UPDATE quotas SET reserved_micro = 0"));
    assertThatThrownBy(() -> miniChat.service.finalise(turnId, Fixture.COMPLETED))
        .hasMessageContaining("quotas_reserved_micro_check");
    assertThat(miniChat.service.turn(turnId).state()).isEqualTo(Turn.State.RESERVED);
    assertThat(miniChat.events("true")).isEqualTo(endings.size());
  }

  /** R5: all begin while the turn is open, as another transaction keeps the first from ending. */
  @Test
  @DisplayName(
      "If a producer loses an idempotency race, it observes \"already enqueued\" and no duplicate"
          + " modkit_outbox_events row is inserted.")
  void theLosersOfARaceSeeThatTheEventIsAlreadyEnqueued() throws Exception {
    int producers = 4;
    UUID turn = miniChat.reserve();
    List<Finalised> results;
    try (AtOnce atOnce = new AtOnce()) {
      results =
          atOnce.runUntilAllWait(
              miniChat.chat, producers, () -> miniChat.service.finalise(turn, Fixture.COMPLETED));
    }

    Finalised.Settled winner =
        results.stream()
            .filter(Finalised.Settled.class::isInstance)
            .map(Finalised.Settled.class::cast)
            .findFirst()
            .orElseThrow();
    assertThat(results)
        .filteredOn(result -> result != winner)
        .containsOnly(new Finalised.AlreadyEnqueued(winner.eventId()))
        .hasSize(producers - 1);
    assertThat(miniChat.events("true")).isEqualTo(1);
    assertThat(Sql.number(miniChat.chat, "SELECT spent_micro FROM quotas"))
        .isEqualTo(winner.creditsMicro());
  }

  /** R16, R19: all replicas hold leases at once, and pass over rows that somebody has locked. */
  @Test
  @DisplayName(
      "Dispatcher can run concurrently (multiple replicas) without double-processing rows (verified"
          + " via SKIP LOCKED + lease).")
  void dispatchersSideBySideDeliverEveryEventOnce() throws Exception {
    int turns = 150;
    int locked = 7;
    miniChat.settle(turns);
    CountDownLatch gate = new CountDownLatch(1);
    Map<String, Integer> deliveries = new ConcurrentHashMap<>();
    Publisher.Callback deliver =
        message -> {
          assertThat(gate.await(30, TimeUnit.SECONDS)).isTrue();
          deliveries.merge(eventId(message), 1, Integer::sum);
        };
    try (Relay one = miniChat.dispatcher(deliver);
        Relay two = miniChat.dispatcher(deliver);
        Relay three = miniChat.dispatcher(deliver)) {
      Sql.transact(
          miniChat.chat,
          tx -> {
            Sql.query(
                tx,
                "SELECT 1 FROM modkit_outbox_events ORDER BY created_at LIMIT ? FOR UPDATE",
                row -> row.getInt(1),
                locked);
            one.start();
            two.start();
            three.start();
            eventually().until(() -> miniChat.leaseHolders() == 3);
            gate.countDown();
            miniChat.awaitDelivered(turns - locked);
            return true;
          });
      miniChat.awaitDelivered(turns);
    }
    assertThat(deliveries).hasSize(turns);
    assertThat(deliveries.values()).containsOnly(1);
    assertThat(miniChat.events("attempts <> 1")).isZero();
  }

  /**
   * R19: a dispatcher that is killed in the midst of deliveries, where others cannot see that its
   * session is gone, as behind a pooler. Where they can, they need not wait for the lease.
   */
  @Test
  @DisplayName(
      "If the dispatcher crashes after claiming rows, those rows become eligible for reclaim after"
          + " lease expiry.")
  void theEventsOfAKilledDispatcherAreDeliveredAfterItsLease() throws Exception {
    int turns = 6;
    long held;
    try (Dispatchers processes = new Dispatchers(miniChat.chatDatabase, miniChat.billingDatabase)) {
      ChildProcess victim = processes.start();
      held = processes.killWhileItHoldsEvents(victim, () -> miniChat.settle(turns));
    }
    assertThat(held).isPositive();
    Map<String, OffsetDateTime> leases = miniChat.leases();
    assertThat(leases).hasSizeGreaterThanOrEqualTo((int) held);
    miniChat.hideSessions();

    Map<String, OffsetDateTime> delivered = new ConcurrentHashMap<>();
    Billing billing = new Billing(miniChat.billing);
    try (Relay successor =
        miniChat.dispatcher(
            message -> {
              delivered.put(eventId(message), miniChat.databaseTime());
              billing.deliver(message);
            })) {
      successor.start();
      miniChat.awaitDelivered(turns);
    }
    assertThat(delivered).containsKeys(leases.keySet().toArray(String[]::new));
    leases.forEach((event, until) -> assertThat(delivered.get(event)).isAfter(until));
    assertThat(miniChat.events("attempts > 1")).isGreaterThanOrEqualTo(leases.size());
    assertThat(miniChat.charges()).isEqualTo(turns);
    assertThat(miniChat.chargedMicro()).isEqualTo(miniChat.settledMicro());
  }

  /** R34: the delay is within its bounds by what the row says and by when that was written. */
  @Test
  @DisplayName(
      "Publish failures reschedule rows with increasing next_attempt_at and record last_error.")
  void failuresPutTheNextAttemptOffFurtherEachTime() throws SQLException {
    History history = new History(miniChat.chat);
    miniChat.settle(1);
    try (Relay dispatcher =
        miniChat.dispatcher(
            message -> {
              throw new IOException("billing is closed");
            })) {
      dispatcher.start();
      eventually().until(() -> miniChat.events("status = 'dead'") == 1);
    }

    List<Settled> failures = history.settled();
    assertThat(failures).extracting(Settled::attempts).containsExactly(1, 2, 3, 4);
    assertThat(failures)
        .extracting(Settled::status)
        .containsExactly("pending", "pending", "pending", "dead");
    assertThat(failures).allSatisfy(f -> assertThat(f.lastError()).contains("billing is closed"));
    long[] delays = {40, 80, 100};
    for (int i = 0; i < delays.length; i++) {
      assertThat(failures.get(i).leastMs()).isLessThanOrEqualTo(delays[i]);
      assertThat(failures.get(i).mostMs()).isGreaterThanOrEqualTo(delays[i] / 2);
      if (i > 0) {
        assertThat(failures.get(i).dueAt()).isAfter(failures.get(i - 1).dueAt());
      }
    }
  }

  /** R44: what was charged is delivered again, later and at the same time. */
  @Test
  @DisplayName(
      "Publishing is safe under retries (downstream processing is idempotent on dedupe key).")
  void whatIsDeliveredAgainIsChargedOnce() throws Exception {
    int turns = 20;
    miniChat.settle(turns);
    Billing billing = new Billing(miniChat.billing);
    Map<String, Integer> deliveries = new ConcurrentHashMap<>();
    try (AtOnce atOnce = new AtOnce();
        Relay dispatcher =
            miniChat.dispatcher(
                message -> {
                  atOnce.run(
                      2,
                      () -> {
                        billing.deliver(message);
                        return true;
                      });
                  if (deliveries.merge(eventId(message), 1, Integer::sum) < 3) {
                    throw new IOException("the answer of billing is lost");
                  }
                })) {
      dispatcher.start();
      miniChat.awaitDelivered(turns);
    }
    assertThat(deliveries.values()).hasSize(turns).containsOnly(3);
    assertThat(billing.duplicates()).isEqualTo(5L * turns);
    assertThat(miniChat.charges()).isEqualTo(turns);
    assertThat(miniChat.chargedMicro()).isEqualTo(miniChat.settledMicro()).isPositive();
  }

  private static String eventId(Message message) {
    return String.valueOf(message.headers().get("event_id"));
  }
}
