package dev.postcommit.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.fixture.SentStatements;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.Count;
import dev.postcommit.store.OutboxAdmin.Gauges;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.LayoutSample;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What figures cost on a large table. {@code -Dgauges.rows=10000000} makes it a larger one.
 *
 * <p>Not time is asserted but work: how many rows and pages the statements read, as they are really
 * sent.
 */
abstract class LargeGauges extends LayoutFixture {
  private static final Logger log = LoggerFactory.getLogger(LargeGauges.class);

  private static final int ROWS = Integer.getInteger("gauges.rows", 260_000);
  private static final int DELIVERED = ROWS / 2;
  private static final int PENDING = ROWS * 3 / 10;
  private static final int DEAD = ROWS / 5;

  /** A statement may read a row of each of two tables, with the index pages on the way. */
  private static final long MOST_PAGES = 70_000;

  private static final long MOST_ROWS = 10_001;

  private static final Pattern ROWS_READ =
      Pattern.compile("Scan.*actual rows=(\\d+)(?:\\.\\d+)? loops=(\\d+)");
  private static final Pattern ROWS_PASSED_OVER = Pattern.compile("Rows Removed by Filter: (\\d+)");
  private static final Pattern PAGES =
      Pattern.compile("Buffers: shared(?: hit=(\\d+))?(?: read=(\\d+))?");

  /**
   * How to write rows of a kind.
   *
   * @param columns columns besides those that all rows have, with a comma before each
   * @param values their values
   * @param failure what the table of failures says of them: due_at and dead_at; empty for nothing
   */
  record Kind(String columns, String values, String failure) {
    Kind(String columns, String values) {
      this(columns, values, "");
    }
  }

  private final String columns;
  private final String values;

  /** The tests for one layout, whose rows have at least these columns. */
  LargeGauges(LayoutSample sample, String columns, String values) {
    super(sample);
    this.columns = columns;
    this.values = values;
  }

  abstract Kind delivered();

  Kind pending() {
    return new Kind("", "");
  }

  abstract Kind delayed();

  abstract Kind dead();

  @Test
  @DisplayName("R49: figures are cheap however many rows are delivered, pending or dead")
  void figuresAreCheap() {
    insert(delivered(), DELIVERED);
    insert(pending(), 3);
    insert(delayed(), 2);
    insert(dead(), 4);
    vacuum();
    Gauges few = gauges("%,d delivered".formatted(DELIVERED));
    assertThat(few.pending()).isEqualTo(new Count(5, true));
    assertThat(few.delayed()).isEqualTo(new Count(2, true));
    assertThat(few.dead()).isEqualTo(new Count(4, true));
    assertThat(few.oldestAge()).isPositive().isLessThan(Duration.ofHours(1));
    assertThat(plans(OutboxAdmin::status).toString())
        .doesNotContain("Seq Scan on " + layout().table().name() + " ");

    insert(pending(), PENDING);
    vacuum();
    Gauges backlog = gauges("and %,d pending".formatted(PENDING));
    assertAbout(backlog.pending(), PENDING);
    assertThat(backlog.delayed()).isEqualTo(new Count(2, true));
    assertThat(backlog.dead().rows()).isEqualTo(4);
    assertThat(backlog.oldestAge()).isGreaterThanOrEqualTo(few.oldestAge());

    insert(dead(), DEAD);
    vacuum();
    Gauges all = gauges("and %,d dead".formatted(DEAD));
    assertAbout(all.pending(), PENDING);
    assertAbout(all.dead(), DEAD);
    assertThat(all.delayed()).isEqualTo(new Count(2, true));
  }

  private static void assertAbout(Count count, long expected) {
    assertThat(count.isExact()).isFalse();
    assertThat(count.rows()).isBetween(expected / 2, expected * 2);
  }

  private Gauges gauges(String what) {
    for (String plan : plans(OutboxAdmin::gauges)) {
      assertThat(most(ROWS_READ, plan)).as(plan).isLessThanOrEqualTo(MOST_ROWS);
      assertThat(most(ROWS_PASSED_OVER, plan)).as(plan).isLessThanOrEqualTo(MOST_ROWS);
      assertThat(pages(plan)).as(plan).isLessThanOrEqualTo(MOST_PAGES);
    }
    long startedAt = System.nanoTime();
    Gauges gauges = admin().gauges();
    Duration took = Duration.ofNanos(System.nanoTime() - startedAt);
    startedAt = System.nanoTime();
    admin().status();
    Duration exactly = Duration.ofNanos(System.nanoTime() - startedAt);
    log.info(
        "{}, {}: gauges {} ms, status {} ms: {}",
        layout().name(),
        what,
        took.toMillis(),
        exactly.toMillis(),
        gauges);
    return gauges;
  }

  private void insert(Kind kind, int count) {
    String rows =
        "INSERT INTO %s (%s%s) SELECT %s%s FROM generate_series(1, %d) n RETURNING id"
            .formatted(layout().table().sql(), columns, kind.columns, values, kind.values, count);
    execute(
        kind.failure.isEmpty()
            ? rows
            : "WITH w AS (%s) INSERT INTO %s (id, key, attempts, due_at, dead_at) SELECT id, 'k', 1, %s FROM w"
                .formatted(rows, layout().failures().orElseThrow().sql(), kind.failure));
  }

  private void vacuum() {
    execute("VACUUM ANALYZE " + layout().table().sql());
    layout().failures().ifPresent(failures -> execute("VACUUM ANALYZE " + failures.sql()));
  }

  /** The plans of the statements that a look at the table sends, each with its settings. */
  private List<String> plans(Consumer<OutboxAdmin> look) {
    List<String> statements = new ArrayList<>();
    look.accept(OutboxAdmin.of(SentStatements.of(dataSource(), statements), layout()));
    List<String> plans = new ArrayList<>();
    for (String sent : statements) {
      boolean isOverTheTable = sent.contains(layout().table().sql()) && !sent.startsWith("EXPLAIN");
      if (isOverTheTable) {
        transaction(
            tx -> {
              int end = sent.lastIndexOf(";\n");
              try (Statement statement = tx.createStatement()) {
                if (end > 0) {
                  statement.execute(sent.substring(0, end));
                  statement.execute("SET LOCAL statement_timeout = 0");
                }
                plans.add(plan(statement, sent.substring(end < 0 ? 0 : end + 2)));
              }
            });
      }
    }
    assertThat(plans).isNotEmpty();
    return plans;
  }

  private static String plan(Statement statement, String sql) throws SQLException {
    StringBuilder plan = new StringBuilder(sql).append('\n');
    try (ResultSet lines =
        statement.executeQuery("EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) " + sql)) {
      while (lines.next()) {
        plan.append(lines.getString(1)).append('\n');
      }
    }
    return plan.toString();
  }

  /** The highest product of the numbers that a pattern finds. */
  private static long most(Pattern pattern, String plan) {
    long most = 0;
    for (Matcher found = pattern.matcher(plan); found.find(); ) {
      long product = 1;
      for (int i = 1; i <= found.groupCount(); i++) {
        product *= Long.parseLong(found.group(i));
      }
      most = Math.max(most, product);
    }
    return most;
  }

  /** The pages read by the whole statement, which are those of its first node. */
  private static long pages(String plan) {
    Matcher found = PAGES.matcher(plan);
    long pages = 0;
    for (int i = 1; found.find(0) && i <= found.groupCount(); i++) {
      pages += found.group(i) == null ? 0 : Long.parseLong(found.group(i));
    }
    return pages;
  }
}
