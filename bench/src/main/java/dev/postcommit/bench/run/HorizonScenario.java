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
final class HorizonScenario extends SmallBacklogScenario {
  HorizonScenario(Bench bench, Progress progress) {
    super("horizon", bench, progress);
  }

  @Override
  void ask(ContenderProcess contender, int round) throws Exception {
    if (!isSlow(contender, "free")) {
      contender.reset();
      drain(contender, "free", Keys.SPREAD, round);
    }
    if (!isSlow(contender, "held")) {
      // Before the transaction: a replication slot is not created while one runs.
      contender.reset();
      try (Connection holder = hold()) {
        drain(contender, "held", Keys.SPREAD, round);
        holder.rollback();
      }
    }
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
