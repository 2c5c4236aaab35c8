package dev.postcommit.examples.minichat;

import dev.postcommit.examples.minichat.Tally.Told;
import dev.postcommit.examples.minichat.jdbc.Sql;
import dev.postcommit.examples.minichat.usage.DedupeKey;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * Compares what Mini Chat has settled with what billing has charged, turn by turn.
 *
 * @param turns how many turns were settled
 * @param billed how many of them were charged for
 * @param billedMicro the credits charged
 * @param attempts how many deliveries that took
 * @param problems what is wrong; empty if nothing is
 */
record Verdict(int turns, int billed, long billedMicro, long attempts, List<String> problems) {

  /** A turn that Mini Chat has settled. */
  private record Settled(UUID id, String dedupeKey, long micro) {}

  /**
   * Looks at both databases.
   *
   * @param poison the turns whose events are to be dead
   */
  static Verdict of(DataSource chat, DataSource billing, Tally tally, Set<UUID> poison)
      throws SQLException {
    List<String> problems = new ArrayList<>();
    List<Settled> settled = settled(chat);
    expect(problems, "turns settled", tally.of(Told.SETTLED), settled.size());
    expect(problems, "turns reserved", tally.of(Told.RESERVED), settled.size());

    List<String> keys =
        Sql.query(chat, "SELECT dedupe_key FROM modkit_outbox_events", row -> row.getString(1));
    expect(problems, "events", settled.size(), keys.size());
    expect(
        problems,
        "events of settled turns, and of no other",
        settled.stream().map(Settled::dedupeKey).collect(Collectors.toSet()),
        new HashSet<>(keys));
    expect(problems, "dead events", keysOf(settled, poison), dead(chat));

    Map<UUID, Long> due =
        settled.stream()
            .filter(turn -> !poison.contains(turn.id()))
            .collect(Collectors.toMap(Settled::id, Settled::micro));
    List<Map.Entry<UUID, Long>> charges =
        Sql.query(
            billing,
            "SELECT turn_id, credits_micro FROM charges",
            row -> Map.entry(row.getObject(1, UUID.class), row.getLong(2)));
    expect(problems, "charges", due.size(), charges.size());
    expect(problems, "charges by turn", due.entrySet(), new HashSet<>(charges));
    long billed = Sql.number(billing, "SELECT coalesce(sum(billed_micro), 0) FROM accounts");
    expect(
        problems, "credits billed", due.values().stream().mapToLong(Long::longValue).sum(), billed);

    expect(
        problems,
        "quotas spent",
        settled.stream().mapToLong(Settled::micro).sum(),
        Sql.number(chat, "SELECT sum(spent_micro) FROM quotas"));
    expect(
        problems,
        "quotas reserved",
        0L,
        Sql.number(chat, "SELECT sum(reserved_micro) FROM quotas"));
    long attempts = Sql.number(chat, "SELECT sum(attempts) FROM modkit_outbox_events");
    return new Verdict(settled.size(), charges.size(), billed, attempts, problems);
  }

  private static List<Settled> settled(DataSource chat) throws SQLException {
    return Sql.query(
        chat,
        """
        SELECT t.id, c.tenant_id, t.request_id, t.actual_micro
        FROM turns t JOIN chats c ON c.id = t.chat_id WHERE t.state <> 'reserved'""",
        row -> {
          UUID turn = row.getObject(1, UUID.class);
          UUID tenant = row.getObject(2, UUID.class);
          UUID request = row.getObject(3, UUID.class);
          return new Settled(turn, DedupeKey.of(tenant, turn, request), row.getLong(4));
        });
  }

  private static Set<String> keysOf(List<Settled> settled, Set<UUID> turns) {
    return settled.stream()
        .filter(turn -> turns.contains(turn.id()))
        .map(Settled::dedupeKey)
        .collect(Collectors.toSet());
  }

  private static Set<String> dead(DataSource chat) throws SQLException {
    return new HashSet<>(
        Sql.query(
            chat,
            "SELECT dedupe_key FROM modkit_outbox_events WHERE status = 'dead'",
            row -> row.getString(1)));
  }

  private static void expect(List<String> problems, String what, Object expected, Object found) {
    if (!expected.equals(found)) {
      problems.add("%s: expected %s, found %s".formatted(what, expected, found));
    }
  }
}
