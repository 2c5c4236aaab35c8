package dev.postcommit.flyway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.fixture.Sql;
import dev.postcommit.layout.TableName;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What migrating an inbox creates, and what it leaves alone. */
class InboxMigrationIT {
  private static final TableName TABLE = TableName.of("processed_events");

  private static final String COLUMNS =
      """
      SELECT concat_ws(' ', attname, format_type(atttypid, atttypmod),
        CASE WHEN attnotnull THEN 'not null' END, 'default ' || pg_get_expr(adbin, adrelid))
      FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
      WHERE attrelid = CAST('%s' AS regclass) AND attnum > 0 AND NOT attisdropped
      ORDER BY attnum""";

  private static final String INDEXES =
      "SELECT pg_get_indexdef(indexrelid) FROM pg_index"
          + " WHERE indrelid = CAST('processed_events' AS regclass) ORDER BY 1";

  private static final String TABLES =
      """
      SELECT schemaname || '.' || tablename FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1""";

  private final PostgresDatabase database = PostgresServer.shared().createDatabase();
  private final DataSource dataSource = database.dataSource();

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  @DisplayName("R14: the table has event_id as its key, processed_at, event_type and source")
  void theTableIsThatOfTheRequirement() throws SQLException {
    assertThat(InboxMigration.migrate(dataSource, TABLE)).isEqualTo(2);

    assertThat(Sql.list(dataSource, COLUMNS.formatted("processed_events")))
        .containsExactly(
            "event_id uuid not null",
            "processed_at timestamp with time zone not null default now()",
            "event_type text",
            "source text");
    assertThat(Sql.list(dataSource, INDEXES))
        .containsExactly(
            "CREATE INDEX processed_events_processed_at ON public.processed_events"
                + " USING btree (processed_at)",
            "CREATE UNIQUE INDEX processed_events_pkey ON public.processed_events"
                + " USING btree (event_id)");
    assertThat(Sql.list(dataSource, TABLES))
        .containsExactly(
            "public.processed_events",
            "public.processed_events_claim",
            "public.processed_events_consumer",
            "public.processed_events_history");
  }

  @Test
  @DisplayName("R15: migrating twice changes nothing, and each consumer can have its own table")
  void migratingIsRepeatableAndTablesStandAlone() throws SQLException {
    Sql.execute(dataSource, "CREATE SCHEMA shop", "CREATE TABLE somebody_elses (id int)");

    assertThat(InboxMigration.migrate(dataSource, TABLE)).isEqualTo(2);
    assertThat(InboxMigration.migrate(dataSource, TABLE)).isZero();
    assertThat(InboxMigration.migrate(dataSource, TableName.of("shop.payment_events")))
        .isEqualTo(2);

    assertThat(Sql.list(dataSource, TABLES))
        .contains("public.processed_events", "shop.payment_events", "shop.payment_events_claim");
  }

  @Test
  @DisplayName("R14: a table that is there, with its rows, is left as it is")
  void aTableThatIsThereIsLeftAsItIs() throws SQLException {
    Sql.execute(
        dataSource,
        "CREATE TABLE processed_events (event_id text PRIMARY KEY, processed_at timestamp)",
        "INSERT INTO processed_events VALUES ('old', '2020-01-01')");
    List<String> columns = Sql.list(dataSource, COLUMNS.formatted("processed_events"));

    assertThat(InboxMigration.migrate(dataSource, TABLE)).isEqualTo(1);
    assertThat(InboxMigration.migrate(dataSource, TABLE)).isZero();

    assertThat(Sql.list(dataSource, COLUMNS.formatted("processed_events"))).isEqualTo(columns);
    assertThat(Sql.list(dataSource, INDEXES)).hasSize(1);
    assertThat(Sql.list(dataSource, "SELECT CAST(t AS text) FROM processed_events t"))
        .containsExactly("(old,\"2020-01-01 00:00:00\")");
    assertThat(Sql.list(dataSource, TABLES))
        .contains("public.processed_events_claim", "public.processed_events_consumer");
  }
}
