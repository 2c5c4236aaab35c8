package dev.postcommit.testkit.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.testkit.process.Ports;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class PostgresServerIT {

  @Test
  void theSharedServerIsOneAndOutlivesItsClosing() throws SQLException {
    PostgresServer server = PostgresServer.shared();
    server.close();

    assertThat(PostgresServer.shared()).isSameAs(server);
    assertThat(query(server.dataSource(), "SELECT 1")).isEqualTo("1");
  }

  @Test
  void databasesAreIsolatedAndGoOnClose() throws SQLException {
    PostgresServer server = PostgresServer.shared();
    PostgresDatabase first = server.createDatabase();
    try (PostgresDatabase second = server.createDatabase()) {
      execute(first.dataSource(), "CREATE TABLE t (id int)");
      execute(second.dataSource(), "CREATE TABLE t (other text)");

      assertThat(first.name()).isNotEqualTo(second.name());
      try (Connection direct = DriverManager.getConnection(first.jdbcUrl(), first.username(), "")) {
        assertThat(direct.isValid(1)).isTrue();
        first.close();
        assertThat(direct.isValid(1)).isFalse();
      }
      String left = "SELECT count(*) FROM pg_database WHERE datname = '%s'";
      assertThat(query(server.dataSource(), left.formatted(first.name()))).isEqualTo("0");
      assertThat(query(server.dataSource(), left.formatted(second.name()))).isEqualTo("1");
    }
  }

  @Test
  void whatIsCommittedSurvivesACrashOnTheSamePort() throws SQLException {
    try (PostgresServer server = PostgresServer.builder().setting("work_mem", "7MB").start();
        PostgresDatabase database = server.createDatabase()) {
      int port = server.port();
      DataSource dataSource = database.dataSource();
      execute(dataSource, "CREATE TABLE t (id int)");
      execute(dataSource, "INSERT INTO t VALUES (1)");
      try (Connection open = dataSource.getConnection()) {
        open.setAutoCommit(false);
        execute(open, "INSERT INTO t VALUES (2)");

        server.stopImmediate();

        assertThatThrownBy(open::commit).isInstanceOf(SQLException.class);
      }
      assertThatThrownBy(() -> DriverManager.getConnection(server.jdbcUrl(), "postgres", ""))
          .isInstanceOf(SQLException.class);

      server.restart();

      assertThat(server.port()).isEqualTo(port);
      assertThat(query(dataSource, "SELECT string_agg(id::text, ',') FROM t")).isEqualTo("1");
      assertThat(query(dataSource, "SHOW work_mem")).isEqualTo("7MB");

      server.restart();

      assertThat(query(dataSource, "SELECT count(*) FROM t")).isEqualTo("1");
    }
  }

  @Test
  void itIsAsSafeAsAProductionServerUnlessToldOtherwise() throws SQLException {
    DataSource dataSource = PostgresServer.shared().dataSource();

    assertThat(query(dataSource, "SHOW fsync")).isEqualTo("on");
    assertThat(query(dataSource, "SHOW synchronous_commit")).isEqualTo("on");
    assertThat(query(dataSource, "SHOW max_connections")).isEqualTo("200");
    assertThat(query(dataSource, "SHOW server_encoding")).isEqualTo("UTF8");
  }

  @Test
  void aSettingPostgresRefusesIsShownWithItsLog() {
    PostgresServer.Builder builder = PostgresServer.builder().setting("no_such_setting", "1");

    assertThatThrownBy(builder::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no_such_setting");
  }

  @Test
  void aClosedServerCannotBeRestarted() {
    PostgresServer server = PostgresServer.start();
    server.close();
    server.close();

    assertThat(Ports.listening(server.port())).isFalse();
    assertThatThrownBy(server::restart).isInstanceOf(IllegalStateException.class);
  }

  private static void execute(DataSource dataSource, String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      execute(connection, sql);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String query(DataSource dataSource, String sql) throws SQLException {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
