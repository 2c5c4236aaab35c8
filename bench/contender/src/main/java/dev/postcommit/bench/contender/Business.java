package dev.postcommit.bench.contender;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** What a service does beside its events: it writes a row. */
public final class Business {
  /** The table of that row. */
  public static final String TABLE =
      "CREATE TABLE IF NOT EXISTS bench_order ("
          + "id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "
          + "customer text NOT NULL, number integer NOT NULL, "
          + "placed_at timestamptz NOT NULL DEFAULT now())";

  private static final String INSERT = "INSERT INTO bench_order (customer, number) VALUES (?, ?)";

  private Business() {}

  /** Writes the row that {@code event} tells of. */
  public static void insert(Connection connection, BenchEvent event) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setString(1, event.key());
      insert.setInt(2, event.number());
      insert.executeUpdate();
    }
  }
}
