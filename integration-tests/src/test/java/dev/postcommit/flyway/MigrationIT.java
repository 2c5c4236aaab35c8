package dev.postcommit.flyway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.postcommit.PostcommitException;
import dev.postcommit.fixture.AdoptedSample;
import dev.postcommit.fixture.TableShape;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.Status;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.LayoutCheck;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What migrating creates, and what it leaves alone. */
class MigrationIT {
  private final PostgresDatabase database = PostgresServer.shared().createDatabase();
  private final DataSource dataSource = database.dataSource();

  @AfterEach
  void close() {
    database.close();
  }

  private List<String> tables() throws SQLException {
    return TableShape.list(
        dataSource,
        """
        SELECT schemaname || '.' || tablename FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1""");
  }

  @Test
  @DisplayName(
      "R15: migrating twice changes nothing, and tables of other names and schemas stand alone")
  void migratingIsRepeatableAndTablesStandAlone() throws SQLException {
    TableShape.execute(dataSource, "CREATE SCHEMA shop", "CREATE TABLE somebody_elses (id int)");
    Layout own = Layout.nativeTable();
    Layout other = Layout.nativeTable(TableName.of("shop.my_outbox"));

    assertThat(OutboxMigration.migrate(dataSource, own)).isEqualTo(3);
    assertThat(OutboxMigration.migrate(dataSource, own)).isZero();
    assertThat(OutboxMigration.migrate(dataSource, other)).isEqualTo(3);

    assertThat(tables())
        .containsExactly(
            "public.postcommit_outbox",
            "public.postcommit_outbox_audit",
            "public.postcommit_outbox_claim",
            "public.postcommit_outbox_history",
            "public.postcommit_outbox_pause",
            "public.postcommit_outbox_relay",
            "public.postcommit_outbox_topic",
            "public.somebody_elses",
            "shop.my_outbox",
            "shop.my_outbox_audit",
            "shop.my_outbox_claim",
            "shop.my_outbox_history",
            "shop.my_outbox_pause",
            "shop.my_outbox_relay",
            "shop.my_outbox_topic");
  }

  @Test
  @DisplayName("R10: a PackFinderz table that is there, with its rows, is left as it is")
  void aPresetsTableThatIsThereIsLeftAsItIs() throws SQLException {
    TableShape.execute(
        dataSource,
        "CREATE TYPE event_type_enum AS ENUM ('license_status_changed', 'order_created')",
        "CREATE TYPE aggregate_type_enum AS ENUM ('license', 'vendor_order')",
        """
        CREATE TABLE outbox_events (
          id uuid PRIMARY KEY, event_type event_type_enum NOT NULL,
          aggregate_type aggregate_type_enum NOT NULL, aggregate_id uuid NOT NULL,
          payload_json jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now(),
          published_at timestamptz NULL, attempt_count int NOT NULL DEFAULT 0, last_error text NULL)""",
        "CREATE INDEX ix_published ON outbox_events (published_at)",
        "CREATE INDEX ix_type ON outbox_events (event_type)",
        "CREATE INDEX ix_aggregate ON outbox_events (aggregate_type, aggregate_id)",
        """
        INSERT INTO outbox_events (id, event_type, aggregate_type, aggregate_id, payload_json)
        SELECT gen_random_uuid(), 'order_created', 'vendor_order', gen_random_uuid(), '{"version":1}'
        FROM generate_series(1, 5)""");
    TableShape before = TableShape.of(dataSource, "outbox_events");
    String rows = "SELECT CAST(t AS text) || xmin FROM outbox_events t ORDER BY id";
    List<String> rowsBefore = TableShape.list(dataSource, rows);

    assertThat(OutboxMigration.migrate(dataSource, Layout.preset("packfinderz"))).isEqualTo(5);
    assertThat(OutboxMigration.migrate(dataSource, Layout.preset("packfinderz"))).isZero();

    assertThat(TableShape.of(dataSource, "outbox_events")).isEqualTo(before);
    assertThat(TableShape.list(dataSource, rows)).isEqualTo(rowsBefore).hasSize(5);
    assertThat(tables())
        .containsExactly(
            "public.outbox_events",
            "public.outbox_events_audit",
            "public.outbox_events_failure",
            "public.outbox_events_header",
            "public.outbox_events_history",
            "public.outbox_events_pause",
            "public.outbox_events_relay",
            "public.outbox_events_topic");
  }

  @Test
  @DisplayName("an adopted table is left as it is, and gets tables beside it with ids of its type")
  void anAdoptedTableIsLeftAsItIs() throws SQLException {
    AdoptedSample.createTable(dataSource);
    AdoptedSample.insert(dataSource, "order.placed", "order-1", "{}");
    TableShape before = TableShape.of(dataSource, "legacy.domain_events");

    assertThat(OutboxMigration.migrate(dataSource, AdoptedSample.LAYOUT)).isEqualTo(5);
    assertThat(OutboxMigration.migrate(dataSource, AdoptedSample.LAYOUT)).isZero();

    assertThat(TableShape.of(dataSource, "legacy.domain_events")).isEqualTo(before);
    assertThat(tables())
        .containsExactly(
            "legacy.domain_events",
            "legacy.domain_events_audit",
            "legacy.domain_events_failure",
            "legacy.domain_events_header",
            "legacy.domain_events_history",
            "legacy.domain_events_pause",
            "legacy.domain_events_relay",
            "legacy.domain_events_topic");
    assertThat(TableShape.of(dataSource, "legacy.domain_events_failure").columns())
        .contains("id bigint not null");
  }

  @Test
  @DisplayName("a description that comes to need more or fewer tables can be migrated again")
  void aDescriptionMayChange() throws SQLException {
    AdoptedSample.createTable(dataSource);
    TableShape.execute(
        dataSource,
        """
        ALTER TABLE legacy.domain_events
          ADD tries int, ADD due timestamptz, ADD problem text, ADD headers jsonb""");
    Layout whole =
        AdoptedSample.LAYOUT
            .withColumn(Role.ATTEMPTS, new Column("tries", "int"))
            .withColumn(Role.DUE_AT, new Column("due", "timestamptz"))
            .withColumn(Role.LAST_ERROR, new Column("problem", "text"));

    assertThat(OutboxMigration.migrate(dataSource, whole)).as("audit, header, relay").isEqualTo(3);
    assertThat(OutboxMigration.migrate(dataSource, AdoptedSample.LAYOUT)).isEqualTo(2);
    assertThat(OutboxMigration.migrate(dataSource, whole)).isZero();
    assertThat(LayoutCheck.of(dataSource, whole).relay()).isEmpty();
  }

  @Test
  @DisplayName("R15: a native table of the first version is upgraded")
  void aNativeTableOfTheFirstVersionIsUpgraded() throws SQLException {
    OutboxMigration.migrate(dataSource, Layout.nativeTable());
    TableShape.execute(
        dataSource,
        "DROP TABLE postcommit_outbox_audit",
        "DELETE FROM postcommit_outbox_history WHERE version = '2'");
    TableShape before = TableShape.of(dataSource, "postcommit_outbox");

    assertThat(OutboxMigration.migrate(dataSource, Layout.nativeTable())).isEqualTo(1);

    assertThat(TableShape.of(dataSource, "postcommit_outbox")).isEqualTo(before);
    assertThat(tables()).contains("public.postcommit_outbox_audit");
  }

  @Test
  @DisplayName("a table that only has the native table's name is not taken for one")
  void aTableOfTheNativeTablesNameIsNotTakenForOne() throws SQLException {
    TableShape.execute(dataSource, "CREATE TABLE postcommit_outbox (id int)");

    assertThatThrownBy(() -> OutboxMigration.migrate(dataSource, Layout.nativeTable()))
        .isInstanceOf(PostcommitException.class)
        .hasMessageContaining("already exists");
  }

  @Test
  @DisplayName("an adopted table need not be there when the tables beside it are made")
  void tablesBesideAnAdoptedOneCanBeMadeFirst() throws SQLException {
    Layout later =
        Layout.adopt(TableName.of("events_to_come"))
            .column(Role.ID, "id", "uuid")
            .column(Role.TYPE, "type", "text")
            .column(Role.PAYLOAD, "payload", "jsonb")
            .column(Role.CREATED_AT, "at", "timestamptz")
            .column(Role.STATUS, "status", "text")
            .lifecycle(new Status("new", "sent", "dead"))
            .build();

    assertThat(OutboxMigration.migrate(dataSource, later)).isEqualTo(5);
    assertThat(LayoutCheck.of(dataSource, later).relay())
        .containsExactly(
            "there is no table events_to_come; create it, or correct its name in the layout");
  }

  @Test
  @DisplayName("migrations in the order of their versions are not said to be out of order")
  void nothingIsOutOfOrder() {
    Logger flyway = (Logger) LoggerFactory.getLogger("org.flywaydb");
    List<String> lines = new CopyOnWriteArrayList<>();
    AppenderBase<ILoggingEvent> appender =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            lines.add(event.getFormattedMessage());
          }
        };
    appender.start();
    flyway.addAppender(appender);
    flyway.setLevel(Level.INFO);
    try {
      assertThat(OutboxMigration.migrate(dataSource, Layout.preset("polyshop"))).isPositive();
      assertThat(OutboxMigration.migrate(dataSource, Layout.preset("polyshop"))).isZero();
    } finally {
      flyway.setLevel(null);
      flyway.detachAppender(appender);
    }
    assertThat(lines)
        .anyMatch(line -> line.startsWith("Successfully applied"))
        .noneMatch(line -> line.contains("outOfOrder"));
  }
}
