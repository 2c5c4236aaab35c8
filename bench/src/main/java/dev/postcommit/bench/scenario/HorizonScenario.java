package dev.postcommit.bench.scenario;

import dev.postcommit.bench.contender.Keys;
import dev.postcommit.bench.measure.Backlog;
import dev.postcommit.bench.measure.Bench;
import dev.postcommit.bench.measure.ContenderProcess;
import dev.postcommit.bench.measure.Entrant;
import dev.postcommit.bench.measure.Progress;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Measures how fast a backlog is delivered while another session keeps a transaction with writes
 * open, so that dead rows cannot be cleaned up.
 */
final class HorizonScenario extends BacklogScenario {
  HorizonScenario(Bench bench, Progress progress) {
    super("horizon", bench, progress);
  }

  @Override
  void ask(ContenderProcess contender, int round) throws Exception {
    int turns = turns(contender.entrant());
    for (int drain = (round - 1) * turns + 1; drain <= round * turns; drain++) {
      // Each goes first alternately, so that drift over time favours neither.
      boolean freeFirst = drain % 2 == 1;
      if (freeFirst) {
        free(contender, drain);
      }
      held(contender, drain);
      if (!freeFirst) {
        free(contender, drain);
      }
    }
  }

  /** Returns how often it drains in each way per round. */
  private int turns(Entrant entrant) {
    int rounds = rounds(entrant);
    return entrant.isMain() ? (sizes().drains() + rounds - 1) / rounds : 1;
  }

  private void free(ContenderProcess contender, int drain) throws Exception {
    if (!isSlow(contender, "free")) {
      contender.reset();
      drain(contender, "free", drain);
      latency("free", contender, drain);
    }
  }

  private void held(ContenderProcess contender, int drain) throws Exception {
    if (!isSlow(contender, "held")) {
      // Before the transaction: a replication slot is not created while one runs.
      contender.reset();
      try (Connection holder = hold(bench().servers().postgres())) {
        drain(contender, "held", drain);
        latency("held", contender, drain);
        holder.rollback();
      }
    }
  }

  private void drain(ContenderProcess contender, String variant, int drain) throws Exception {
    Backlog backlog = sizes().comparedBacklog(contender.entrant());
    drain(contender, variant, backlog, Keys.SPREAD, drain);
  }

  /** Opens a transaction that has written and taken a snapshot. */
  static Connection hold(PostgresServer server) throws SQLException {
    Connection session = DriverManager.getConnection(server.jdbcUrl(), server.username(), "");
    session.setAutoCommit(false);
    session.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try (Statement statement = session.createStatement()) {
      statement.execute("SELECT pg_current_xact_id()");
    }
    return session;
  }
}
