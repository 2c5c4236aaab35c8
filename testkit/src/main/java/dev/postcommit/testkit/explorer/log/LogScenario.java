package dev.postcommit.testkit.explorer.log;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.internal.store.CheckpointedLog;
import dev.postcommit.layout.Layout;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.explorer.outbox.OutboxTables;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import dev.postcommit.testkit.explorer.scenario.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * Writers, relays and faults around a log, with its cursor in the table alone, or with its
 * checkpoint kept by a {@linkplain ModelBroker broker}.
 *
 * <p>Leases are long; they end when a step of the scenario says so, and clocks move on when one
 * does. What is left at the end is delivered by one more relay, alone.
 */
public final class LogScenario implements Scenario {
  private static final LayoutSample SAMPLE = Samples.LOG;

  private static final String SEQUENCE = SAMPLE.layout().table().withSuffix("_seq").sql();

  private final String name;
  private final OutboxTables tables = new OutboxTables(SAMPLE.layout());
  private final LogScenarioBuilder built;

  LogScenario(LogScenarioBuilder builder) {
    this.name = builder.name;
    this.built = builder;
  }

  /** A scenario whose cursor is in the table alone. */
  public static LogScenarioBuilder of(String name) {
    return new LogScenarioBuilder(name, false);
  }

  /** A scenario whose checkpoint is kept by a broker. */
  public static LogScenarioBuilder exactlyOnce(String name) {
    return new LogScenarioBuilder(name, true);
  }

  /** Somebody of whom there is no kind. */
  @FunctionalInterface
  public interface Part {

    /** Does something to the run, or to its tables. */
    void play(LogRun run, Stage.Role self) throws Exception;
  }

  LayoutSample sample() {
    return SAMPLE;
  }

  Layout layout() {
    return SAMPLE.layout();
  }

  OutboxTables tables() {
    return tables;
  }

  Map<String, LogReplies.Reply> replies() {
    return built.replies;
  }

  UnaryOperator<String> mutation() {
    return built.mutation;
  }

  UnaryOperator<CheckpointedLog> wrapper() {
    return built.wrapper;
  }

  ModelBroker.Fault brokerFault() {
    return built.brokerFault;
  }

  int maxAttempts() {
    return built.maxAttempts;
  }

  boolean isExactlyOnce() {
    return built.isExactlyOnce;
  }

  boolean numbersRise() {
    return built.numbersRise;
  }

  List<String> cleanUp() {
    return built.cleanUp;
  }

  /** The relay that an actor plays. */
  String relayOf(String actor) {
    return built.lanes.getOrDefault(actor, actor);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String schema() {
    return "log " + built.setUp;
  }

  @Override
  public boolean leavesTablesAlone() {
    return built.leavesTablesAlone();
  }

  @Override
  public void create(DataSource database) throws SQLException {
    OutboxMigration.migrate(database, layout());
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT nextval('" + SEQUENCE + "')");
      for (String sql : built.setUp) {
        statement.execute(sql);
      }
    }
  }

  @Override
  public void reset(Connection connection) throws SQLException {
    tables.empty(connection);
    try (Statement statement = connection.createStatement()) {
      // All runs begin alike: everything is delivered that was ever written.
      statement.execute(
          """
          UPDATE %1$s SET mark = NULL, base = 0, floor = s.last_value, seen = pg_current_snapshot(),
            upto = NULL, position = 0, checked = pg_current_snapshot(), checked_floor = s.last_value,
            numbering = pg_relation_filenode('%2$s')
          FROM (SELECT last_value FROM %2$s OFFSET 0) s"""
              .formatted(layout().cursor().orElseThrow().sql(), SEQUENCE));
      for (String sql : built.before) {
        statement.execute(sql);
      }
    }
  }

  @Override
  public Play begin(Stage stage) throws SQLException {
    LogRun run = new LogRun(this, stage);
    for (LogScenarioBuilder.Preparation preparation : built.beforehand) {
      preparation.in(run);
    }
    built.parts.forEach((who, part) -> run.add(who, self -> part.play(run, self)));
    return run;
  }
}
