package dev.postcommit.examples.minichat.chat;

import dev.postcommit.Enqueued;
import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.examples.minichat.jdbc.Sql;
import dev.postcommit.examples.minichat.usage.UsageEvent;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Chats whose turns count against a quota: {@link #reserve}, then {@link #finalise}.
 *
 * <p>Finalising a turn settles its quota and enqueues its usage event in one transaction. Whoever
 * writes the event settles: of several who finalise a turn at the same time, the dedupe key lets
 * one through. Safe for use by many threads.
 */
public final class ChatService {
  private static final int LONGEST_PROMPT = 10_000;

  private final DataSource dataSource;
  private final long policyVersion;
  private final Consumer<Finalised> listener;
  private final Outbox outbox = Outbox.builder(Layout.preset("modkit")).build();

  /**
   * A service on tables that are there.
   *
   * @param policyVersion the version of price list and limits that turns begin under
   * @param listener is told what became of each attempt to finalise a turn, after the commit
   */
  public ChatService(DataSource dataSource, long policyVersion, Consumer<Finalised> listener) {
    this.dataSource = dataSource;
    this.policyVersion = policyVersion;
    this.listener = listener;
  }

  /** Creates Mini Chat's tables, and those of its outbox. */
  public static void createTables(DataSource dataSource) throws SQLException {
    OutboxMigration.migrate(dataSource, Layout.preset("modkit"));
    Sql.script(dataSource, ChatService.class, "/dev/postcommit/examples/minichat/chat.sql");
  }

  /** Gives a user a quota, and opens a chat. */
  public UUID openChat(UUID tenant, UUID user, long limitMicro) throws SQLException {
    UUID chat = UUID.randomUUID();
    return Sql.transact(
        dataSource,
        tx -> {
          Tables.grant(tx, tenant, user, limitMicro);
          Tables.openChat(tx, chat, tenant, user);
          return chat;
        });
  }

  /**
   * Begins a turn, if the request is acceptable and the quota suffices for the model, or for a
   * cheaper one. No event tells of it.
   *
   * @param requestId the client's own id of the request; sent again, it begins no second turn
   */
  public Reservation reserve(UUID chat, UUID requestId, Model model, String prompt)
      throws SQLException {
    if (prompt.isBlank() || prompt.length() > LONGEST_PROMPT) {
      return new Reservation.Invalid(
          "a prompt has from 1 to %d characters, not %d"
              .formatted(LONGEST_PROMPT, prompt.length()));
    }
    return Sql.transact(dataSource, tx -> reserve(tx, chat, requestId, model, prompt));
  }

  private Reservation reserve(
      Connection tx, UUID chat, UUID requestId, Model selected, String prompt) throws SQLException {
    // Requests of one user wait for each other here.
    Tables.lockQuota(tx, chat);
    List<UUID> before = Tables.turnsOf(tx, chat, requestId);
    if (!before.isEmpty()) {
      return new Reservation.AlreadyReserved(before.get(0));
    }
    for (Model model : selected.affordable()) {
      long estimate = model.estimateMicro(prompt);
      if (Tables.reserveQuota(tx, chat, estimate)) {
        UUID turn = UUID.randomUUID();
        Tables.beginTurn(tx, turn, chat, requestId, selected, model, policyVersion, estimate);
        return new Reservation.Reserved(turn);
      }
    }
    return new Reservation.OverQuota();
  }

  /**
   * Ends a turn: its quota is settled and its usage event enqueued, or nothing of both.
   *
   * @throws IllegalArgumentException if there is no such turn
   */
  public Finalised finalise(UUID turnId, Ending ending) throws SQLException {
    Finalised result = Sql.transact(dataSource, tx -> finalise(tx, turnId, ending));
    listener.accept(result);
    return result;
  }

  private Finalised finalise(Connection tx, UUID turnId, Ending ending) throws SQLException {
    Turn turn = Tables.turn(tx, turnId);
    if (turn.state() != Turn.State.RESERVED) {
      return new Finalised.AlreadyFinal(turn.state());
    }
    Settlement settlement = Settlement.of(turn, ending);
    Enqueued enqueued = outbox.enqueue(tx, event(turn, settlement));
    if (enqueued instanceof Enqueued.AlreadyEnqueued) {
      return new Finalised.AlreadyEnqueued(enqueued.id());
    }
    Tables.settle(tx, turn, settlement);
    return new Finalised.Settled(enqueued.id(), settlement.creditsMicro());
  }

  private static Event event(Turn turn, Settlement settlement) {
    return Event.builder(UsageEvent.TOPIC)
        .namespace(UsageEvent.NAMESPACE)
        .tenant(turn.tenantId())
        .dedupeKey(turn.dedupeKey())
        .json(settlement.event(turn).toJson())
        .build();
  }

  /**
   * The turn as it stands.
   *
   * @throws IllegalArgumentException if there is no such turn
   */
  public Turn turn(UUID turnId) throws SQLException {
    return Sql.transact(dataSource, tx -> Tables.turn(tx, turnId));
  }

  /**
   * Aborts turns that nobody has finalised for too long: their worker has crashed. Any number of
   * watchdogs may do so at once.
   *
   * @return how many this one has aborted
   */
  public int abortOrphans(Duration olderThan) throws SQLException {
    int aborted = 0;
    for (UUID turn : Sql.transact(dataSource, tx -> Tables.openTurns(tx, olderThan))) {
      if (finalise(turn, new Ending.Aborted(null)) instanceof Finalised.Settled) {
        aborted++;
      }
    }
    return aborted;
  }
}
