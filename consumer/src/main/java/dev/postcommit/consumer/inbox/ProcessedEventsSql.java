package dev.postcommit.consumer.inbox;

import dev.postcommit.support.OneTransaction;
import org.jspecify.annotations.Nullable;

/**
 * The statements on a table of processed events and its side tables. Several in one text are
 * {@linkplain OneTransaction one transaction}, and each sees what was committed before it began.
 *
 * <p>Two consumers of one event wait for each other at its entry in the unique index of claims. A
 * transaction that sets, takes over or ends a claim holds it until it ends. It takes claims in the
 * order of their ids, and locks processed events only after that.
 */
final class ProcessedEventsSql {

  /** Parameters: ids, types, sources. Returns the ids that are new. */
  final String mark;

  /** Parameters: ids. */
  final String unmark;

  /**
   * Parameters: ids, tokens, milliseconds; ids, tokens; ids. The first statement takes what is
   * neither processed nor another's claim; it returns the ids. The others let go of and return what
   * is processed: an event may have been completed after the first statement began, and before the
   * claim was ours.
   */
  final String begin;

  /** Parameters: id, token. Ends the caller's claim, if it is there, with a processed event. */
  final String complete;

  /**
   * Parameters: id, token; id, token; id, token. Takes a claim that nobody has any more, to do the
   * same.
   */
  final String completeLate;

  /** Parameters: ids, tokens. */
  final String abandon;

  /**
   * Parameters: id, token; id, token, milliseconds, ids of transactions; id, token. Takes the
   * claim, writes the event unless it is there and not too old, and ends the claim. Then returns
   * the transaction's id, by which the row can be recognised, and bounds the wait for the commit. A
   * row that one of the transactions wrote counts as not there: they are the caller's own, and how
   * they ended is unknown.
   */
  final String checkAndMark;

  /**
   * Parameters: id, milliseconds, ids of transactions. As {@link #checkAndMark} where there are no
   * claims.
   */
  final String checkAndMarkUnclaimed;

  /** Parameters: id, the id of the transaction that wrote the row. */
  final String unmarkOwn;

  /** Parameters: id. An expired claim is nobody's, and left to be pruned. */
  final String deleteClaim;

  /** Parameters: id. */
  final String delete;

  /** Parameters: milliseconds, how many rows. */
  final String prune;

  /** Parameters: how many rows. */
  final String pruneClaims;

  /**
   * Parameters: consumer. Does nothing where another transaction is about to do the same: that one
   * may be a handler's, and long.
   */
  final String recordConsumer;

  /** Returns the consumer that the table belongs to. */
  final String consumer;

  private final ProcessedEventsTable table;

  ProcessedEventsSql(ProcessedEventsTable table) {
    this.table = table;
    mark =
        render(
            """
            INSERT INTO {table} ({columns})
            SELECT CAST(i.id AS {id_type}), now(){type}{source}
            FROM unnest(CAST(? AS text[]), CAST(? AS text[]), CAST(? AS text[]))
              AS i (id, type, source)
            ORDER BY 1
            ON CONFLICT (event_id) DO NOTHING
            RETURNING CAST(event_id AS text)""");
    unmark = render("DELETE FROM {table} WHERE event_id = ANY (CAST(? AS {id_type}[]))");
    begin =
        render(
            OneTransaction.of(
                """
                INSERT INTO {claims} AS c (event_id, token, until)
                SELECT i.id, i.token, clock_timestamp() + i.millis * interval '1 millisecond'
                FROM (SELECT unnest(CAST(? AS text[])) AS id, unnest(CAST(? AS uuid[])) AS token,
                  CAST(? AS bigint) AS millis) i
                WHERE NOT EXISTS (SELECT FROM {table} p WHERE p.event_id = CAST(i.id AS {id_type}))
                ORDER BY i.id
                ON CONFLICT (event_id) DO UPDATE SET token = excluded.token, until = excluded.until
                  WHERE c.until < clock_timestamp() OR c.token = excluded.token
                RETURNING c.event_id""",
                """
                DELETE FROM {claims} c
                USING unnest(CAST(? AS text[]), CAST(? AS uuid[])) AS i (id, token), {table} p
                WHERE c.event_id = i.id AND c.token = i.token
                  AND p.event_id = CAST(c.event_id AS {id_type})""",
                """
                SELECT CAST(event_id AS text) FROM {table}
                WHERE event_id = ANY (CAST(? AS {id_type}[]))"""));
    complete =
        render(
            """
            WITH mine AS (
              DELETE FROM {claims} WHERE event_id = ? AND token = CAST(? AS uuid)
              RETURNING event_id AS id, CAST(NULL AS text) AS type, CAST(NULL AS text) AS source)
            INSERT INTO {table} ({columns})
            SELECT CAST(i.id AS {id_type}), now(){type}{source} FROM mine i
            ON CONFLICT (event_id) DO NOTHING""");
    String takeClaim =
        """
        INSERT INTO {claims} AS c (event_id, token, until)
        VALUES (?, CAST(? AS uuid), clock_timestamp())
        ON CONFLICT (event_id) DO UPDATE SET token = excluded.token
          WHERE c.token = excluded.token OR c.until < clock_timestamp()""";
    String endClaim = "DELETE FROM {claims} WHERE event_id = ? AND token = CAST(? AS uuid)";
    completeLate =
        render(
            OneTransaction.of(
                takeClaim,
                """
                INSERT INTO {table} ({columns})
                SELECT CAST(i.id AS {id_type}), now(){type}{source}
                FROM (SELECT event_id AS id, CAST(NULL AS text) AS type,
                  CAST(NULL AS text) AS source
                  FROM {claims} WHERE event_id = ? AND token = CAST(? AS uuid)) i
                ON CONFLICT (event_id) DO NOTHING""",
                endClaim));
    abandon =
        render(
            """
            DELETE FROM {claims} WHERE event_id IN (
              SELECT c.event_id
              FROM unnest(CAST(? AS text[]), CAST(? AS uuid[])) AS i (id, token)
              JOIN {claims} c ON c.event_id = i.id AND c.token = i.token
              ORDER BY c.event_id FOR UPDATE OF c)""");
    String replace =
        """
        INSERT INTO {table} AS p ({columns})
        SELECT CAST(i.id AS {id_type}), now(){type}{source}
        FROM (SELECT %s) i
        ON CONFLICT (event_id) DO UPDATE SET processed_at = excluded.processed_at
          WHERE p.processed_at < now() - CAST(? AS bigint) * interval '1 millisecond'
            OR p.xmin = ANY (CAST(CAST(? AS text[]) AS xid[]))""";
    String transaction =
        """
        SELECT CAST(CAST(pg_current_xact_id() AS xid) AS text),
          set_config('idle_in_transaction_session_timeout', '10s', true)""";
    String claimed =
        replace.formatted(
            """
            event_id AS id, CAST(NULL AS text) AS type, CAST(NULL AS text) AS source
              FROM {claims} WHERE event_id = ? AND token = CAST(? AS uuid)""");
    checkAndMark = together(takeClaim, claimed, endClaim, transaction);
    String unclaimed =
        replace.formatted(
            "CAST(? AS text) AS id, CAST(NULL AS text) AS type, CAST(NULL AS text) AS source");
    checkAndMarkUnclaimed = together(unclaimed, transaction);
    unmarkOwn =
        render(
            """
            DELETE FROM {table}
            WHERE event_id = CAST(? AS {id_type}) AND xmin = CAST(CAST(? AS text) AS xid)""");
    deleteClaim = render("DELETE FROM {claims} WHERE event_id = ? AND until >= clock_timestamp()");
    delete = render("DELETE FROM {table} WHERE event_id = CAST(? AS {id_type})");
    prune =
        render(
            """
            DELETE FROM {table} WHERE event_id IN (
              SELECT event_id FROM {table}
              WHERE processed_at < now() - CAST(? AS bigint) * interval '1 millisecond'
              LIMIT ? FOR UPDATE SKIP LOCKED)""");
    pruneClaims =
        render(
            """
            DELETE FROM {claims} WHERE event_id IN (
              SELECT event_id FROM {claims} WHERE until < clock_timestamp()
              LIMIT ? FOR UPDATE SKIP LOCKED)""");
    recordConsumer =
        render(
            """
            INSERT INTO {consumer} (consumer)
            SELECT CAST(? AS text)
            WHERE NOT EXISTS (SELECT FROM {consumer})
              AND pg_try_advisory_xact_lock(hashtext('postcommit inbox'), hashtext('{consumer}'))
            ON CONFLICT DO NOTHING""");
    consumer = render("SELECT consumer FROM {consumer}");
  }

  /** Statements for a transaction that the caller begins and ends. */
  private String together(String... statements) {
    return render(String.join(";\n", statements));
  }

  private String render(String text) {
    return text.replace("{table}", table.name().sql())
        .replace("{claims}", ProcessedEventsTable.claims(table.name()).sql())
        .replace("{consumer}", ProcessedEventsTable.consumer(table.name()).sql())
        .replace("{id_type}", table.ids().type())
        .replace(
            "{columns}",
            "event_id, processed_at"
                + name("event_type", table.type())
                + name("source", table.source()))
        .replace("{type}", value("type", table.type()))
        .replace("{source}", value("source", table.source()));
  }

  private static String name(String name, ProcessedEventsTable.@Nullable Column column) {
    return column == null ? "" : ", " + name;
  }

  /** What is not known is empty where it must not be null. */
  private static String value(String name, ProcessedEventsTable.@Nullable Column column) {
    if (column == null) {
      return "";
    }
    String text = column.notNull() ? "coalesce(i." + name + ", '')" : "i." + name;
    return ", CAST(" + text + " AS " + column.type() + ")";
  }
}
