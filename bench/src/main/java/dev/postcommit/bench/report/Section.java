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
    VARIANTS
  }

  /** What one event costs, wherever that was measured. */
  static final List<Metric> COSTS =
      Stream.concat(Figures.CPU.stream(), metrics("rows_written", "wal_bytes", "commits").stream())
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
              A backlog is written while nothing relays; then each contender delivers it as fast as it can. The rate is what
              reached the consumer a second until the backlog was empty, or until the time limit. Limits are no outboxes: they
              show what the servers allow.""",
              Metric.RATE,
              metrics("delivered"),
              Form.BARS),
          new Section(
              "steady",
              "Latency under steady load",
              "events/s",
              """
              Writers commit events at a fixed rate, one to a transaction with a row of the business; one transaction in fifty is
              rolled back. Latency is from the commit to the consumer. *From due* counts from when the event was due to be
              written, and so has in it what a contender adds to the transaction, and each stall of the writers. Only events
              that arrived have a latency: mind what the ledger says was left.""",
              new Metric("p99_ms"),
              metrics("p50_ms", "p95_ms", "p999_ms", "max_ms", "due_p99_ms", "written_per_second"),
              Form.PERCENTILES),
          new Section(
              "sustained",
              "The highest rate held",
              "",
              "The highest rate of writing at which delivery keeps up, writers and relay sharing the machine.",
              Metric.RATE,
              List.of(),
              Form.BARS),
          new Section(
              "enqueue",
              "What an event adds to a transaction",
              "writers",
              """
              Transactions of one business row with an event and without, in turns, by writers that go on as fast as they can.
              Times are medians of a transaction; what is added is their difference.""",
              Metric.ADDED,
              metrics("plain_us", "with_us", "plain_per_second", "with_per_second"),
              Form.BARS),
          new Section(
              "keys",
              "Hot and skewed keys",
              "",
              """
              A backlog again: spread evenly over 1,000 keys, all of one key (hot), and over 1,000 keys of which the k-th is about
              1/k as frequent as the first (skewed).""",
              Metric.RATE,
              List.of(),
              Form.VARIANTS),
          new Section(
              "history",
              "A table with history",
              "delivered rows",
              """
              A backlog again, in a table that holds so many delivered rows already. Contenders that keep no delivered rows are
              absent.""",
              Metric.RATE,
              List.of(),
              Form.VARIANTS),
          new Section(
              "horizon",
              "A transaction that stays open",
              "",
              """
              A backlog again, while another transaction stays open (held), so that Postgres can remove no dead row, and without
              it (free).""",
              Metric.RATE,
              List.of(),
              Form.VARIANTS),
          new Section(
              "outage",
              "An outage of the broker",
              "seconds",
              """
              The broker is killed under load and started again on the same port after so many seconds. Recovered is the time
              from its return until nothing waits any more.""",
              new Metric("recovered_s"),
              metrics("dead"),
              Form.BARS));

  private static List<Metric> metrics(String... keys) {
    return Stream.of(keys).map(Metric::new).toList();
  }
}
