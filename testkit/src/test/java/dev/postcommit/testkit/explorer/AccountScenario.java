package dev.postcommit.testkit.explorer;

import dev.postcommit.testkit.explorer.scenario.Scenario;
import dev.postcommit.testkit.explorer.scenario.Stage;
import dev.postcommit.testkit.explorer.scenario.Violation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;

/** Actors that change two numbers in a table, to see what the explorer itself does. */
final class AccountScenario implements Scenario {

  /** What an actor does with a transaction of its own, and others. */
  @FunctionalInterface
  interface Part {
    void play(Connection connection, Stage.Role self, Map<String, Stage.Role> all)
        throws SQLException;
  }

  private final Map<String, Part> parts = new LinkedHashMap<>();
  private final String expected;

  /** A scenario whose numbers are to be as expected at the end, or anything if that is empty. */
  AccountScenario(String expected) {
    this.expected = expected;
  }

  AccountScenario actor(String name, Part part) {
    parts.put(name, part);
    return this;
  }

  @Override
  public String name() {
    return "accounts";
  }

  @Override
  public void create(DataSource database) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE account (name text PRIMARY KEY, value int NOT NULL)");
    }
  }

  @Override
  public void reset(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM account; INSERT INTO account VALUES ('x', 0), ('y', 0)");
    }
  }

  @Override
  public Play begin(Stage stage) {
    Map<String, Stage.Role> roles = new LinkedHashMap<>();
    parts.forEach(
        (name, part) -> roles.put(name, stage.actor(name, self -> play(part, self, roles))));
    return new Play() {
      @Override
      public void finish() {}

      @Override
      public void check() throws SQLException {
        if (!expected.isEmpty() && !expected.equals(result())) {
          throw new Violation("the numbers are " + result() + ", not " + expected);
        }
      }

      @Override
      public String result() {
        try (Statement statement = stage.unwatched().createStatement();
            ResultSet row =
                statement.executeQuery(
                    "SELECT string_agg(name || value, ' ' ORDER BY name) FROM account")) {
          row.next();
          return row.getString(1);
        } catch (SQLException e) {
          throw new IllegalStateException(e);
        }
      }
    };
  }

  private static void play(Part part, Stage.Role self, Map<String, Stage.Role> all)
      throws SQLException {
    try (Connection connection = self.connections().getConnection()) {
      part.play(connection, self, all);
    }
  }

  static int read(Connection connection, String name) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT value FROM account WHERE name = ?")) {
      statement.setString(1, name);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getInt(1);
      }
    }
  }

  static void set(Connection connection, String name, int value) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("UPDATE account SET value = ? WHERE name = ?")) {
      statement.setInt(1, value);
      statement.setString(2, name);
      statement.executeUpdate();
    }
  }

  static void add(Connection connection, String name) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("UPDATE account SET value = value + 1 WHERE name = ?")) {
      statement.setString(1, name);
      statement.executeUpdate();
    }
  }
}
