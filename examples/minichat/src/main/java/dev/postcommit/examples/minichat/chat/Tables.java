package dev.postcommit.examples.minichat.chat;

import dev.postcommit.examples.minichat.jdbc.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;

/** The statements on Mini Chat's own tables. */
final class Tables {
  private Tables() {}

  static void grant(Connection tx, UUID tenant, UUID user, long limitMicro) throws SQLException {
    Sql.update(
        tx,
        """
        INSERT INTO quotas (tenant_id, user_id, limit_micro) VALUES (?, ?, ?)
        ON CONFLICT (tenant_id, user_id) DO UPDATE SET limit_micro = excluded.limit_micro""",
        tenant,
        user,
        limitMicro);
  }

  static void openChat(Connection tx, UUID chat, UUID tenant, UUID user) throws SQLException {
    Sql.update(
        tx, "INSERT INTO chats (id, tenant_id, user_id) VALUES (?, ?, ?)", chat, tenant, user);
  }

  static void lockQuota(Connection tx, UUID chat) throws SQLException {
    List<Integer> locked =
        Sql.query(
            tx,
            """
            SELECT 1 FROM quotas q JOIN chats c USING (tenant_id, user_id)
            WHERE c.id = ? FOR UPDATE OF q""",
            row -> row.getInt(1),
            chat);
    if (locked.isEmpty()) {
      throw new IllegalArgumentException("there is no chat " + chat);
    }
  }

  static List<UUID> turnsOf(Connection tx, UUID chat, UUID requestId) throws SQLException {
    return Sql.query(
        tx,
        "SELECT id FROM turns WHERE chat_id = ? AND request_id = ?",
        row -> row.getObject(1, UUID.class),
        chat,
        requestId);
  }

  /** Whether there was so much left. */
  static boolean reserveQuota(Connection tx, UUID chat, long micro) throws SQLException {
    int reserved =
        Sql.update(
            tx,
            """
            UPDATE quotas q SET reserved_micro = reserved_micro + ? FROM chats c
            WHERE c.id = ? AND (q.tenant_id, q.user_id) = (c.tenant_id, c.user_id)
              AND limit_micro - spent_micro - reserved_micro >= ?""",
            micro,
            chat,
            micro);
    return reserved == 1;
  }

  static void beginTurn(
      Connection tx,
      UUID turn,
      UUID chat,
      UUID requestId,
      Model selected,
      Model effective,
      long policyVersion,
      long reservedMicro)
      throws SQLException {
    Sql.update(
        tx,
        """
        INSERT INTO turns (id, chat_id, request_id, selected_model, effective_model,
          policy_version, reserved_micro)
        VALUES (?, ?, ?, ?, ?, ?, ?)""",
        turn,
        chat,
        requestId,
        selected.text(),
        effective.text(),
        policyVersion,
        reservedMicro);
  }

  static Turn turn(Connection tx, UUID id) throws SQLException {
    return Sql.query(
            tx,
            """
            SELECT t.*, c.tenant_id, c.user_id, now() AS read_at
            FROM turns t JOIN chats c ON c.id = t.chat_id WHERE t.id = ?""",
            Tables::turn,
            id)
        .stream()
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no turn " + id));
  }

  private static Turn turn(ResultSet row) throws SQLException {
    return new Turn(
        row.getObject("id", UUID.class),
        row.getObject("chat_id", UUID.class),
        row.getObject("tenant_id", UUID.class),
        row.getObject("user_id", UUID.class),
        row.getObject("request_id", UUID.class),
        Model.of(row.getString("selected_model")),
        Model.of(row.getString("effective_model")),
        row.getLong("policy_version"),
        row.getLong("reserved_micro"),
        Turn.State.of(row.getString("state")),
        row.getObject("read_at", OffsetDateTime.class).toInstant());
  }

  /** Ends an open turn, and turns what it has reserved into what it has spent. */
  static void settle(Connection tx, Turn turn, Settlement settlement) throws SQLException {
    int ended =
        Sql.update(
            tx,
            """
            UPDATE turns SET state = ?, actual_micro = ?, finalised_at = now()
            WHERE id = ? AND state = 'reserved'""",
            settlement.state().text(),
            settlement.creditsMicro(),
            turn.id());
    int settled =
        Sql.update(
            tx,
            """
            UPDATE quotas SET reserved_micro = reserved_micro - ?, spent_micro = spent_micro + ?
            WHERE tenant_id = ? AND user_id = ?""",
            turn.reservedMicro(),
            settlement.creditsMicro(),
            turn.tenantId(),
            turn.userId());
    if (ended != 1 || settled != 1) {
      throw new IllegalStateException("turn " + turn.id() + " is not open, or has no quota");
    }
  }

  static List<UUID> openTurns(Connection tx, Duration olderThan) throws SQLException {
    return Sql.query(
        tx,
        """
        SELECT id FROM turns
        WHERE state = 'reserved' AND started_at <= now() - ? * interval '1 ms'
        ORDER BY started_at""",
        row -> row.getObject(1, UUID.class),
        olderThan.toMillis());
  }
}
