package dev.postcommit.testkit.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postcommit.RetryPolicy;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.Status;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import javax.sql.DataSource;

/** A table that is an application's own, and that no preset matches. */
public final class AdoptedSample {
  /** Its description in Java. */
  public static final Layout LAYOUT =
      Layout.adopt(TableName.of("legacy.domain_events"))
          .name("legacy")
          .column(Role.ID, "event_no", "bigint")
          .column(Role.SEQ, "event_no", "bigint")
          .column(Role.TYPE, "kind", "varchar")
          .column(Role.AGGREGATE_ID, "entity", "text")
          .column(Role.PAYLOAD, "body", "text")
          .column(Role.CREATED_AT, "written", "timestamp")
          .column(Role.STATUS, "state", "varchar")
          .column(Role.DELIVERED_AT, "sent", "timestamp")
          .lifecycle(new Status("NEW", "SENT", "BROKEN"))
          .retryPolicy(RetryPolicy.DEFAULT.withMaxAttempts(5))
          .build();

  private AdoptedSample() {}

  /** Its description in a file. */
  public static Path file() {
    try {
      return Path.of(resource("domain_events.properties").toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Creates the table as its owner did, without anything of Postcommit. */
  public static void createTable(DataSource dataSource) throws SQLException {
    try (InputStream ddl = resource("domain_events.sql").openStream();
        Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(new String(ddl.readAllBytes(), UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Creates the table, and what Postcommit keeps beside it. */
  public static void create(DataSource dataSource) throws SQLException {
    createTable(dataSource);
    OutboxMigration.migrate(dataSource, LAYOUT);
  }

  /** Writes an event as the application does, and commits; returns its id. */
  public static String insert(DataSource dataSource, String kind, String entity, String body)
      throws SQLException {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement =
            connection.prepareStatement(
                "INSERT INTO legacy.domain_events (kind, entity, body) VALUES (?, ?, ?)"
                    + " RETURNING event_no")) {
      statement.setString(1, kind);
      statement.setString(2, entity);
      statement.setString(3, body);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getString(1);
      }
    }
  }

  private static URL resource(String name) {
    return Objects.requireNonNull(AdoptedSample.class.getResource("/adopted/" + name), name);
  }
}
