package dev.postcommit.examples.minichat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.examples.minichat.billing.Billing;
import dev.postcommit.examples.minichat.chat.ChatService;
import dev.postcommit.examples.minichat.chat.Reservation;
import dev.postcommit.examples.minichat.jdbc.Sql;
import dev.postcommit.relay.Relay;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The run's verdict notices what is wrong. */
class VerdictIT {
  private final Tally tally = new Tally();

  @Test
  void everyKindOfErrorIsNoticed() throws SQLException {
    try (Fixture miniChat = new Fixture()) {
      UUID turn = settle(miniChat);
      settle(miniChat);
      try (Relay dispatcher = miniChat.dispatcher(new Billing(miniChat.billing))) {
        dispatcher.start();
        miniChat.awaitDelivered(2);
      }
      assertThat(problems(miniChat, Set.of())).isEmpty();
      assertThat(problems(miniChat, Set.of(turn))).isNotEmpty();

      broken(miniChat, miniChat.billing, "DELETE FROM charges WHERE id = 1", "charges");
      broken(
          miniChat,
          miniChat.billing,
          "INSERT INTO charges (tenant_id, turn_id, credits_micro)"
              + " SELECT tenant_id, turn_id, credits_micro FROM charges",
          "charges");
      broken(
          miniChat,
          miniChat.billing,
          "UPDATE accounts SET billed_micro = billed_micro + 1",
          "credits billed");
      broken(miniChat, miniChat.chat, "UPDATE quotas SET spent_micro = spent_micro + 1", "quotas");
      broken(
          miniChat,
          miniChat.chat,
          "UPDATE modkit_outbox_events SET status = 'dead'",
          "dead events");
      broken(miniChat, miniChat.chat, "DELETE FROM modkit_outbox_events", "events");
    }
  }

  private UUID settle(Fixture miniChat) throws SQLException {
    ChatService service = new ChatService(miniChat.chat, Fixture.POLICY, tally::count);
    UUID turn = miniChat.reserve(service);
    tally.count(new Reservation.Reserved(turn));
    service.finalise(turn, Fixture.COMPLETED);
    return turn;
  }

  private List<String> problems(Fixture miniChat, Set<UUID> poison) throws SQLException {
    return Verdict.of(miniChat.chat, miniChat.billing, tally, poison).problems();
  }

  /** Breaks something more. */
  private void broken(Fixture miniChat, DataSource where, String how, String what)
      throws SQLException {
    List<String> before = problems(miniChat, Set.of());
    Sql.transact(where, tx -> Sql.update(tx, how));
    assertThat(problems(miniChat, Set.of()))
        .as(how)
        .isNotEqualTo(before)
        .anyMatch(problem -> problem.startsWith(what));
  }
}
