package dev.postcommit.bench.report;

import java.util.List;
import java.util.stream.Stream;

/**
 * What the page says of a scenario.
 *
 * @param unit what its variants count, if they are numbers
 * @param text what is done and measured
 * @param main the metric by which contenders are ranked
 * @param others what else was measured
 * @param form how it is laid out
 */
record Section(
    String scenario,
    String title,
    String unit,
    String text,
    Metric main,
    List<Metric> others,
    Form form) {

  /** How a section is laid out. */
  enum Form {
    /** One plot, and a table for each variant. */
    BARS,
    /** A plot of percentiles and a table for each variant. */
    PERCENTILES,
    /** One plot and one table, which shows what a variant changes. */
    VARIANTS,
    /** One table, in which rounds are minutes. */
    MINUTES
  }

  /** What one event costs, wherever that was measured. */
  static final List<Metric> COSTS =
      Stream.concat(
              Figures.CPU.stream(),
              metrics("rows_written", "dead_rows", "wal_bytes", "commits").stream())
          .toList();

  static final List<Metric> PERCENTILES = metrics("p50_ms", "p95_ms", "p99_ms", "p999_ms");

  /** In the order of the page. */
  static final List<Section> ALL =
      List.of(
          new Section(
              "drain",
              "Draining a backlog",
              "",
              """
              A backlog is written while nothing relays; then each contender delivers it as fast as it can. The rate counts from the
              first arrival to the last. Who is not done within the time limit is stopped, and its rate is what it delivered until then.
              Who is known to be slow, from the warm-up on, is given twice what it has delivered within the limit at its best instead
              of the whole backlog, here and in all scenarios with a backlog: it would not come to the rest, and gains by a smaller
              table. Limits are no outboxes but what the servers allow: a bare producer that sends the same records, and the SQL of a
              relay that sends nothing.""",
              Metric.RATE,
              metrics("delivered"),
              Form.BARS),
          new Section(
              "steady",
              "Latency under steady load",
              "events/s",
              """
              Writers commit events at a fixed rate, one to a transaction with a row of the business; one transaction in fifty is
              rolled back. Latency is from the database's answer to the commit to the consumer. *From due* counts from when the
              event was due to be written, and so has in it what a contender adds to the transaction, and each stall of the
              writers. Only events that arrived have a latency: mind what the ledger says did not. Who does not keep up with a
              rate is not asked for a higher one, and of our layouts only native and log take part.""",
              Metric.P99,
              metrics("p50_ms", "p95_ms", "p999_ms", "max_ms", "due_p99_ms", "written_per_second"),
              Form.PERCENTILES),
          new Section(
              "sustained",
              "The highest rate held",
              "",
              """
              The highest rate at which neither writers fall behind nor events pile up: doubled until one of them does, then narrowed
              down. The limit is what the same writers reach without events.""",
              Metric.RATE,
              List.of(),
              Form.BARS),
          new Section(
              "enqueue",
              "What an event adds to a transaction",
              "writers",
              """
              Transactions of one business row, by turns 25 of each writer without an event and 25 with one, as fast as they can,
              relays being stopped. Times are medians of a transaction; what is added is the median of the differences between 25 with
              events and the 25 before. Contenders follow each other within less than a second, several times in each round, of which
              the median is taken. Spring Modulith cannot be stopped: what it still sends slows down its transactions without events.""",
              Metric.ADDED,
              metrics("plain_us", "with_us", "plain_per_second", "with_per_second"),
              Form.BARS),
          new Section(
              "keys",
              "Hot and skewed keys",
              "",
              """
              A smaller backlog: spread evenly over 10,000 keys as in all other scenarios, over 1,000 (few), all of one key (hot), and
              over 10,000 keys of which the k-th is about 1/k as frequent as the first (skewed). Who does not finish within the time
              limit is asked once.""",
              Metric.RATE,
              List.of(),
              Form.VARIANTS),
          new Section(
              "hotkey",
              "A key that cannot be delivered",
              "",
              """
              Latency at 1,000 events/s of other keys, with none of this (none), while 300,000 events wait behind one of their key that
              failed (stuck), and while 300,000 of one key are delivered by a broker that takes 200 ms for each batch of them (busy).
              The load begins once events written after these arrive. *Ratio to none* is the p99 divided by the same contender's without such a key.""",
              Metric.P99,
              metrics("p50_ms"),
              Form.VARIANTS),
          new Section(
              "history",
              "A table with history",
              "delivered rows",
              """
              A backlog in a table that holds so many delivered rows already. Contenders that keep no delivered rows are absent.
              Drains follow each other in the same table, each after `VACUUM (ANALYZE)` and a checkpoint; who leaves events in it has
              one. *Ratio to 0 delivered rows* is the rate with history divided by the same contender's without.
              Between drains native and log bear 1,000 events/s, from whose commits p50 and p99 count.""",
              Metric.RATE,
              metrics("p50_ms", "p99_ms"),
              Form.VARIANTS),
          new Section(
              "horizon",
              "A transaction that stays open",
              "",
              """
              A backlog, while another session keeps a transaction open (held), so that Postgres can clean up nothing that was changed
              or deleted meanwhile, and without it (free), by turns. Who does not finish within the time limit is asked once.
              *Ratio to free* is the rate while the transaction is held divided by the same contender's without it.
              After each drain native and log bear 1,000 events/s, from whose commits p50 and p99 count.""",
              Metric.RATE,
              metrics("p50_ms", "p99_ms"),
              Form.VARIANTS),
          new Section(
              "report",
              "Minutes beside a transaction that stays open",
              "",
              """
              1,000 events/s, minute by minute, while another session keeps a transaction open from the beginning (held). At the same
              time a second of each contender bears the same load in another database of the same server, whose rows that transaction
              does not keep (free). Figures are the p99 from commit to consumer of each minute, in ms. *Last three* is the median of
              the last three minutes. It is run on demand only.""",
              Metric.P99,
              List.of(),
              Form.MINUTES),
          new Section(
              "statistics",
              "A backlog that Postgres does not know of",
              "",
              """
              A backlog on top of as many delivered rows. Autovacuum is off, and statistics are taken after the backlog was written
              (fresh), or before, when everything was delivered (stale), as it is when an outage ends. The sessions of the relay are
              from before. Every layout of ours takes part. *Ratio to fresh* is the rate with stale statistics divided by the same
              contender's with fresh ones.""",
              Metric.RATE,
              List.of(),
              Form.VARIANTS),
          new Section(
              "outage",
              "An outage of the broker",
              "seconds",
              """
              The broker goes away, and is back on the same port after so many seconds: for all contenders at the same time, each
              under a small load. Recovered is the time from its return to the arrival of the last event committed before it. Who has
              not delivered everything within twice the time of the outage has none.""",
              new Metric("recovered_s"),
              metrics("dead"),
              Form.BARS));

  /** A heading for one of its cases. */
  String title(Case situation) {
    String variant = situation.title(unit);
    return variant.isEmpty() ? title : title + ": " + variant;
  }

  private static List<Metric> metrics(String... keys) {
    return Stream.of(keys).map(Metric::new).toList();
  }
}
