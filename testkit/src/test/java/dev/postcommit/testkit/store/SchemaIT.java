package dev.postcommit.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.TableName;
import dev.postcommit.testkit.PostgresDatabase;
import dev.postcommit.testkit.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SchemaIT {

  @Test
  @DisplayName("R12, R15: the modkit table has the required columns, types, defaults and indexes")
  void theModkitTableIsAsRequired() throws SQLException {
    try (PostgresDatabase database = PostgresServer.shared().createDatabase()) {
      OutboxMigration.migrate(database.dataSource(), Layout.modkit());

      assertThat(
              list(
                  database.dataSource(),
                  """
                  SELECT concat_ws(' ', column_name, data_type,
                    CASE is_nullable WHEN 'NO' THEN 'not null' END, column_default)
                  FROM information_schema.columns WHERE table_name = 'modkit_outbox_events'
                  ORDER BY ordinal_position"""))
          .containsExactly(
              "id uuid not null",
              "namespace text not null",
              "topic text not null",
              "tenant_id uuid",
              "dedupe_key text",
              "payload jsonb not null",
              "status text not null",
              "attempts integer not null 0",
              "next_attempt_at timestamp with time zone not null now()",
              "locked_by uuid",
              "locked_until timestamp with time zone",
              "last_error text",
              "created_at timestamp with time zone not null now()",
              "updated_at timestamp with time zone not null now()");
      assertThat(
              list(
                  database.dataSource(),
                  """
                  SELECT regexp_replace(indexdef, '.* USING btree ', '') FROM pg_indexes
                  WHERE tablename = 'modkit_outbox_events'"""))
          .contains(
              "(id)",
              "(status, next_attempt_at)",
              "(locked_until)",
              "(namespace, topic, dedupe_key) WHERE (dedupe_key IS NOT NULL)");
      assertThat(
              list(
                  database.dataSource(),
                  """
                  SELECT tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
                  WHERE c.relname = 'modkit_outbox_events' AND NOT tgisinternal"""))
          .isEmpty();
    }
  }

  @Test
  @DisplayName(
      "R15: migrating twice changes nothing, and tables of other names and schemas stand alone")
  void migratingIsRepeatableAndTablesStandAlone() throws SQLException {
    try (PostgresDatabase database = PostgresServer.shared().createDatabase()) {
      DataSource dataSource = database.dataSource();
      try (Connection connection = dataSource.getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE SCHEMA shop");
        statement.execute("CREATE TABLE somebody_elses (id int)");
      }
      Layout own = Layout.nativeTable();
      Layout other = Layout.nativeTable(TableName.of("shop.my_outbox"));

      assertThat(OutboxMigration.migrate(dataSource, own)).isEqualTo(2);
      assertThat(OutboxMigration.migrate(dataSource, own)).isZero();
      assertThat(OutboxMigration.migrate(dataSource, other)).isEqualTo(2);

      assertThat(
              list(
                  dataSource,
                  """
                  SELECT schemaname || '.' || tablename FROM pg_tables
                  WHERE schemaname IN ('public', 'shop')"""))
          .containsExactlyInAnyOrder(
              "public.somebody_elses",
              "public.postcommit_outbox",
              "public.postcommit_outbox_audit",
              "public.postcommit_outbox_claim",
              "public.postcommit_outbox_history",
              "shop.my_outbox",
              "shop.my_outbox_audit",
              "shop.my_outbox_claim",
              "shop.my_outbox_history");
    }
  }

  private static List<String> list(DataSource dataSource, String sql) throws SQLException {
    List<String> values = new ArrayList<>();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }
}
