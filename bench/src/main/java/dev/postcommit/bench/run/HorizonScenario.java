package dev.postcommit.bench.run;

import dev.postcommit.bench.contender.Keys;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * How fast a backlog is delivered while another session keeps a transaction open that has written,
 * so that nothing deleted or changed meanwhile can be cleaned up.
 */
final class HorizonScenario extends Scenario {
  HorizonScenario(Bench bench, Progress progress) {
    super("horizon", bench, progress);
  }

  @Override
  int rounds(Entrant entrant) {
    return Math.min(super.rounds(entrant), sizes().fewerRounds());
  }

  @Override
  void ask(ContenderProcess contender, int round) throws Exception {
    contender.reset();
    drain("free", contender, round);
    // Before the transaction: a replication slot is not created while one runs.
    contender.reset();
    try (Connection holder = hold()) {
      drain("held", contender, round);
      holder.rollback();
    }
  }

  private void drain(String variant, ContenderProcess contender, int round) throws Exception {
    Drained drained =
        bench().drainOnTop(contender, sizes().smallBacklog(), Keys.SPREAD, sizes().smallLimit());
    note(variant, contender, round, drained.metrics(), drained.text());
  }

  private Connection hold() throws SQLException {
    Connection session =
        DriverManager.getConnection(
            bench().servers().postgres().jdbcUrl(), bench().servers().postgres().username(), "");
    session.setAutoCommit(false);
    session.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try (Statement statement = session.createStatement()) {
      statement.execute("SELECT pg_current_xact_id()");
    }
    return session;
  }
}
