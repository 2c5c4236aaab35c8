package dev.postcommit.examples.minichat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.examples.minichat.chat.Ending;
import dev.postcommit.examples.minichat.chat.Finalised;
import dev.postcommit.examples.minichat.chat.Model;
import dev.postcommit.examples.minichat.chat.Reservation;
import dev.postcommit.examples.minichat.chat.Turn;
import dev.postcommit.examples.minichat.jdbc.Sql;
import dev.postcommit.examples.minichat.usage.TokenUsage;
import dev.postcommit.examples.minichat.usage.UsageEvent;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which operations emit an event, and which do not (R55). */
class ChatServiceIT {
  private Fixture miniChat;

  @BeforeEach
  void begin() throws SQLException {
    miniChat = new Fixture();
  }

  @AfterEach
  void end() {
    miniChat.close();
  }

  @Test
  void aRefusedRequestReservesNothingAndEmitsNothing() throws SQLException {
    UUID poor = miniChat.service.openChat(UUID.randomUUID(), UUID.randomUUID(), 1);

    assertThat(reserve(miniChat.chatId, " ")).isInstanceOf(Reservation.Invalid.class);
    assertThat(reserve(miniChat.chatId, "x".repeat(10_001)))
        .isInstanceOf(Reservation.Invalid.class);
    assertThat(reserve(poor, "Why?")).isInstanceOf(Reservation.OverQuota.class);
    assertThatThrownBy(() -> reserve(UUID.randomUUID(), "Why?")).hasMessageContaining("no chat");

    assertThat(number("SELECT count(*) FROM turns")).isZero();
    assertThat(number("SELECT sum(reserved_micro + spent_micro) FROM quotas")).isZero();
    assertThat(miniChat.events("true")).isZero();
  }

  private Reservation reserve(UUID chat, String prompt) throws SQLException {
    return miniChat.service.reserve(chat, UUID.randomUUID(), Model.STANDARD, prompt);
  }

  @Test
  void aRequestThatIsSentTwiceReservesOnce() throws SQLException {
    UUID request = UUID.randomUUID();
    Reservation.Reserved first =
        (Reservation.Reserved)
            miniChat.service.reserve(miniChat.chatId, request, Model.STANDARD, "Why?");
    long reserved = number("SELECT reserved_micro FROM quotas");

    assertThat(miniChat.service.reserve(miniChat.chatId, request, Model.STANDARD, "Why?"))
        .isEqualTo(new Reservation.AlreadyReserved(first.turnId()));
    assertThat(number("SELECT reserved_micro FROM quotas")).isEqualTo(reserved).isPositive();
  }

  @Test
  void readingAndReservingEmitNothing() throws SQLException {
    UUID turn = miniChat.reserve();
    assertThat(miniChat.service.turn(turn).state()).isEqualTo(Turn.State.RESERVED);
    assertThat(miniChat.events("true")).isZero();
  }

  @Test
  void whoCannotAffordTheModelGetsACheaperOne() throws Exception {
    UUID chat = miniChat.service.openChat(miniChat.tenant, UUID.randomUUID(), 5_000);
    Reservation.Reserved turn =
        (Reservation.Reserved)
            miniChat.service.reserve(chat, UUID.randomUUID(), Model.PREMIUM, "Why?");
    miniChat.service.finalise(turn.turnId(), Fixture.COMPLETED);

    UsageEvent event = onlyEvent();
    assertThat(event.selectedModel()).isEqualTo("premium");
    assertThat(event.effectiveModel()).isEqualTo("standard");
    assertThat(event.actualCreditsMicro()).isEqualTo(900);
  }

  @Test
  void theEventTellsWhatTheTablesSay() throws Exception {
    UUID turnId = miniChat.reserve();
    miniChat.service.finalise(turnId, Fixture.COMPLETED);
    Turn turn = miniChat.service.turn(turnId);

    UsageEvent event = onlyEvent();
    assertThat(event.tenantId()).isEqualTo(miniChat.tenant);
    assertThat(event.userId()).isEqualTo(miniChat.user);
    assertThat(event.chatId()).isEqualTo(miniChat.chatId);
    assertThat(event.turnId()).isEqualTo(turnId);
    assertThat(event.requestId()).isEqualTo(turn.requestId());
    assertThat(event.usage()).isEqualTo(TokenUsage.of(100, 200));
    assertThat(event.webSearchCalls()).isEqualTo(1);
    assertThat(event.codeInterpreterCalls()).isEqualTo(2);
    assertThat(event.fileSearchCalls()).isEqualTo(3);
    assertThat(event.policyVersionApplied()).isEqualTo(Fixture.POLICY);
    assertThat(event.dedupeKey())
        .isEqualTo(hex(miniChat.tenant) + "/" + hex(turnId) + "/" + hex(turn.requestId()))
        .matches("[0-9a-f]{32}/[0-9a-f]{32}/[0-9a-f]{32}");
    assertThat(
            Sql.query(
                miniChat.chat,
                "SELECT finalised_at FROM turns",
                row -> row.getObject(1, OffsetDateTime.class).toInstant()))
        .containsExactly(event.timestamp());
    assertThat(
            miniChat.events(
                "namespace = 'mini-chat' AND topic = 'mini-chat.usage' AND tenant_id = '%s'"
                    .formatted(miniChat.tenant)))
        .isEqualTo(1);
  }

  @Test
  void everyEndingSettlesWhatWasReserved() throws Exception {
    settles(new Ending.Failed(null), "failed", "released", 0);
    settles(new Ending.Failed(TokenUsage.of(1000, 10)), "failed", "actual", 1_040);
    settles(new Ending.Aborted(TokenUsage.of(1, 0)), "aborted", "actual", 1);
    long reserved = 2_103;
    settles(new Ending.Aborted(null), "aborted", "estimated", reserved);
  }

  private void settles(Ending ending, String state, String method, long micro) throws Exception {
    long before = number("SELECT spent_micro FROM quotas");
    assertThat(miniChat.service.finalise(miniChat.reserve(), ending))
        .isInstanceOf(Finalised.Settled.class);
    assertThat(number("SELECT spent_micro FROM quotas") - before).isEqualTo(micro);
    assertThat(number("SELECT reserved_micro FROM quotas")).isZero();
    UsageEvent event = onlyEvent();
    assertThat(event.terminalState()).isEqualTo(state);
    assertThat(event.settlementMethod()).isEqualTo(method);
    assertThat(event.actualCreditsMicro()).isEqualTo(micro);
    assertThat(event.billingOutcome()).isEqualTo(micro == 0 ? "not_charged" : "charged");
    Sql.transact(miniChat.chat, tx -> Sql.update(tx, "DELETE FROM modkit_outbox_events"));
  }

  @Test
  void theWatchdogAbortsWhatNobodyFinalised() throws SQLException {
    UUID done = miniChat.reserve();
    miniChat.service.finalise(done, Fixture.COMPLETED);
    UUID orphan = miniChat.reserve();

    assertThat(miniChat.service.abortOrphans(Duration.ofHours(1))).isZero();
    assertThat(miniChat.service.abortOrphans(Duration.ZERO)).isEqualTo(1);
    assertThat(miniChat.service.abortOrphans(Duration.ZERO)).isZero();
    assertThat(miniChat.service.turn(orphan).state()).isEqualTo(Turn.State.ABORTED);
    assertThat(miniChat.service.turn(done).state()).isEqualTo(Turn.State.COMPLETED);
    assertThat(miniChat.events("true")).isEqualTo(2);
  }

  @Test
  void aTurnThatIsNotThereIsNamed() {
    UUID turn = UUID.randomUUID();
    assertThatThrownBy(() -> miniChat.service.finalise(turn, Fixture.COMPLETED))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(turn.toString());
  }

  private UsageEvent onlyEvent() throws Exception {
    List<byte[]> payloads =
        Sql.query(
            miniChat.chat,
            "SELECT convert_to(payload::text, 'UTF8') FROM modkit_outbox_events",
            row -> row.getBytes(1));
    assertThat(payloads).hasSize(1);
    return UsageEvent.fromJson(payloads.get(0));
  }

  private long number(String sql) throws SQLException {
    return Sql.number(miniChat.chat, sql);
  }

  private static String hex(UUID id) {
    return String.format(
        Locale.ROOT, "%016x%016x", id.getMostSignificantBits(), id.getLeastSignificantBits());
  }
}
