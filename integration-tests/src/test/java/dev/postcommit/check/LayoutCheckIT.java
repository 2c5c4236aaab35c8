package dev.postcommit.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.fixture.AdoptedSample;
import dev.postcommit.fixture.TableShape;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.LayoutFile;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.LayoutCheck;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A layout against the catalogue of a live database. */
class LayoutCheckIT {
  private static final String MIGRATE = "; run 'postcommit migrate' or OutboxMigration.migrate";

  private final PostgresDatabase database = PostgresServer.shared().createDatabase();
  private final DataSource dataSource = database.dataSource();

  @AfterEach
  void close() {
    database.close();
  }

  private LayoutCheck check(Layout layout) {
    return LayoutCheck.of(dataSource, layout);
  }

  @Test
  @DisplayName("R10–R13: a freshly migrated table of every preset fits in every respect")
  void everyPresetFits() {
    List<Layout> presets =
        List.of(
            Layout.nativeTable(),
            Layout.nativeTable(TableName.of("Own.Outbox")).deletingOnDelivery(),
            Layout.log(TableName.of("Own.Log")),
            Layout.preset("modkit"),
            Layout.preset("logistik", TableName.of("logistik.outbox_events")),
            Layout.preset("packfinderz", TableName.of("PackFinderz.outbox_events")),
            Layout.preset("polyshop", TableName.of("polyshop.outbox_events")).deletingOnDelivery());
    for (Layout preset : presets) {
      OutboxMigration.migrate(dataSource, preset);
      assertThat(check(preset))
          .as(preset.name())
          .isEqualTo(
              new LayoutCheck(
                  true, List.of(), List.of(), List.of(), List.of(), List.of(), List.of()));
    }
  }

  @Test
  @DisplayName("an adopted table that no preset matches fits its description in Java and in a file")
  void anAdoptedTableFits() throws SQLException {
    AdoptedSample.create(dataSource);

    assertThat(LayoutFile.read(AdoptedSample.file())).isEqualTo(AdoptedSample.LAYOUT);
    LayoutCheck check = check(AdoptedSample.LAYOUT);
    assertThat(check.relay()).isEmpty();
    assertThat(check.admin()).isEmpty();
    assertThat(check.outbox())
        .containsExactly(
            "column event_no for ID is bigint, and an Outbox writes UUIDs; go on writing the rows"
                + " yourself");
  }

  @Test
  @DisplayName("a lease's end that is rounded does not fit: its microseconds tell leases apart")
  void aRoundedLeaseDoesNotFit() throws SQLException {
    OutboxMigration.migrate(dataSource, Layout.preset("modkit"));
    TableShape.execute(
        dataSource, "ALTER TABLE modkit_outbox_events ALTER locked_until TYPE timestamptz(3)");

    assertThat(check(Layout.preset("modkit")).relay())
        .containsExactly(
            "column locked_until for LOCKED_UNTIL is timestamp(3) with time zone, whose microseconds"
                + " tell leases apart; make it timestamptz");

    TableShape.execute(
        dataSource, "ALTER TABLE modkit_outbox_events ALTER locked_until TYPE timestamptz(6)");
    assertThat(check(Layout.preset("modkit")).relay()).isEmpty();
  }

  @Test
  @DisplayName("what does not fit is listed all at once")
  void whatDoesNotFitIsListedAllAtOnce() throws SQLException {
    AdoptedSample.createTable(dataSource);
    TableShape.execute(
        dataSource,
        "ALTER TABLE legacy.domain_events DROP CONSTRAINT domain_events_pkey",
        "ALTER TABLE legacy.domain_events DROP CONSTRAINT domain_events_state_check",
        "ALTER TABLE legacy.domain_events ALTER state TYPE varchar(4), ADD problem varchar(200)",
        "ALTER TABLE legacy.domain_events ALTER written TYPE timestamptz");
    Layout mistaken =
        AdoptedSample.LAYOUT
            .withColumn(Role.PAYLOAD, new Column("bodi", "text"))
            .withColumn(Role.LAST_ERROR, new Column("problem", "text"));

    LayoutCheck check = check(mistaken);

    assertThat(check.tableExists()).isTrue();
    assertThat(check.relay())
        .containsExactly(
            "column event_no for ID has no unique index of its own; create one, or name the primary"
                + " key",
            "there is no column bodi for PAYLOAD; did you mean body; legacy.domain_events has"
                + " event_no, kind, entity, body, written, state, sent, tier, problem",
            "column written for CREATED_AT is timestamp with time zone, not timestamp as the layout"
                + " says",
            "column state for STATUS holds 4 characters and needs 6",
            "column problem for LAST_ERROR holds 200 characters and needs 1024; make it text, or"
                + " leave it out of the layout",
            "there is no table legacy.domain_events_failure, where failures are kept" + MIGRATE,
            "there is no table legacy.domain_events_header, where headers are kept" + MIGRATE);
    assertThat(check.admin())
        .containsExactly(
            "there is no table legacy.domain_events_audit, where operators' actions are recorded"
                + MIGRATE);
  }

  @Test
  @DisplayName("text may be described as varchar and a domain as its base type")
  void typesThatHoldTheSameValuesAreTheSame() throws SQLException {
    AdoptedSample.create(dataSource);
    TableShape.execute(
        dataSource,
        "CREATE DOMAIN legacy.document AS text CHECK (value <> '')",
        "ALTER TABLE legacy.domain_events ALTER body TYPE legacy.document, ALTER kind TYPE text");

    assertThat(check(AdoptedSample.LAYOUT).relay()).isEmpty();
    assertThat(
            check(AdoptedSample.LAYOUT.withColumn(Role.TYPE, new Column("kind", "no_such")))
                .relay())
        .containsExactly("column kind for TYPE: there is no type no_such; it is text");
  }

  @Test
  @DisplayName("an enum must have the words that are written to it")
  void anEnumMustHaveTheWordsThatAreWrittenToIt() throws SQLException {
    AdoptedSample.create(dataSource);
    TableShape.execute(
        dataSource,
        "CREATE TYPE legacy.state AS ENUM ('NEW', 'SENT')",
        """
        ALTER TABLE legacy.domain_events DROP CONSTRAINT domain_events_state_check,
          ALTER state DROP DEFAULT, ALTER state TYPE legacy.state USING CAST(state AS legacy.state)""");
    Layout layout =
        AdoptedSample.LAYOUT.withColumn(Role.STATUS, new Column("state", "legacy.state"));

    assertThat(check(layout).relay())
        .containsExactly(
            "column state for STATUS: the enum type legacy.state has no label BROKEN; it has NEW,"
                + " SENT");
    TableShape.execute(dataSource, "ALTER TYPE legacy.state ADD VALUE 'BROKEN'");
    assertThat(check(layout).relay()).isEmpty();
  }

  @Test
  @DisplayName(
      "R10: a PackFinderz table may have more enum labels than the layout names, not fewer")
  void enumLabelsOfAPresetMustBeThere() throws SQLException {
    OutboxMigration.migrate(dataSource, Layout.preset("packfinderz"));
    TableShape.execute(dataSource, "ALTER TYPE event_type_enum ADD VALUE 'order_retried'");
    assertThat(check(Layout.preset("packfinderz")).relay()).isEmpty();

    TableShape.execute(
        dataSource, "ALTER TYPE aggregate_type_enum RENAME VALUE 'ad' TO 'advertisement'");
    assertThat(check(Layout.preset("packfinderz")).relay())
        .singleElement()
        .asString()
        .startsWith("column aggregate_type for AGGREGATE_TYPE: the enum type aggregate_type_enum")
        .contains("has no label ad; it has vendor_order,");
  }

  @Test
  @DisplayName(
      "R40: a table whose rows have numbers before their transactions have ids does not fit")
  void numbersComeAfterTransactionIds() throws SQLException {
    String problem =
        "no column ahead of seq has DEFAULT pg_current_xact_id(), so an INSERT that waits may be"
            + " overtaken; move its rows to a table made by 'postcommit migrate'";
    OutboxMigration.migrate(dataSource, Layout.nativeTable());
    TableShape.execute(dataSource, "ALTER TABLE postcommit_outbox ALTER xid DROP DEFAULT");
    assertThat(check(Layout.nativeTable()).relay()).containsExactly(problem);

    TableShape.execute(
        dataSource,
        "ALTER TABLE postcommit_outbox DROP xid",
        "ALTER TABLE postcommit_outbox ADD xid xid8 NOT NULL DEFAULT pg_current_xact_id()");
    assertThat(check(Layout.nativeTable()).relay()).containsExactly(problem);

    OutboxMigration.migrate(dataSource, Layout.log());
    TableShape.execute(dataSource, "ALTER TABLE postcommit_log_diverted ALTER xid DROP DEFAULT");
    assertThat(check(Layout.log()).relay()).containsExactly(problem);
  }

  @Test
  @DisplayName("a view is not a table, and a table that is missing is told apart")
  void aViewIsNotATable() throws SQLException {
    TableShape.execute(dataSource, "CREATE VIEW outbox_events AS SELECT 1 AS id");
    assertThat(check(Layout.preset("polyshop")).relay())
        .containsExactly("outbox_events is a view, whose rows cannot be locked; name a table");

    LayoutCheck missing = check(Layout.nativeTable());
    assertThat(missing.tableExists()).isFalse();
    assertThat(missing.relay()).containsExactly("there is no table postcommit_outbox" + MIGRATE);
  }

  @Test
  @DisplayName("columns that must be filled and that nothing fills hinder writers, not relays")
  void columnsThatNothingFillsHinderWritersOnly() throws SQLException {
    OutboxMigration.migrate(dataSource, Layout.preset("modkit"));
    TableShape.execute(
        dataSource,
        "ALTER TABLE modkit_outbox_events ADD region text NOT NULL",
        "DROP INDEX modkit_outbox_events_dedupe");

    assertThat(check(Layout.preset("modkit")).relay()).isEmpty();
    assertThat(check(Layout.preset("modkit")).outbox())
        .containsExactly(
            "column region is NOT NULL without a default, and no role of the layout fills it; give"
                + " it a default",
            "there is no unique index on (namespace, topic, dedupe_key), which dedupe keys need;"
                + " create one");
  }

  @Test
  @DisplayName(
      "R8: a relay needs to read the row and to change lifecycle columns; more is not asked")
  void rightsThatAreMissingAreNamed() throws SQLException {
    AdoptedSample.create(dataSource);
    String user = "relay_" + database.name();
    TableShape.execute(dataSource, "CREATE ROLE %s LOGIN".formatted(user));
    try (HikariDataSource relay = login(user)) {
      assertThat(LayoutCheck.of(relay, AdoptedSample.LAYOUT).relay())
          .containsExactly(
              "user %1$s may not use the schema of legacy.domain_events; GRANT USAGE ON SCHEMA legacy TO %1$s"
                  .formatted(user));

      TableShape.execute(
          dataSource,
          "GRANT USAGE ON SCHEMA legacy TO " + user,
          "GRANT SELECT, UPDATE (state) ON legacy.domain_events TO " + user,
          "GRANT SELECT ON legacy.domain_events_failure TO " + user,
          "GRANT SELECT ON legacy.domain_events_header TO " + user);
      assertThat(LayoutCheck.of(relay, AdoptedSample.LAYOUT.deletingOnDelivery()).relay())
          .containsExactly(
              "user %1$s may not UPDATE (sent), DELETE on legacy.domain_events; GRANT UPDATE (sent), DELETE ON legacy.domain_events TO %1$s"
                  .formatted(user),
              "user %1$s may not INSERT, UPDATE, DELETE on legacy.domain_events_failure; GRANT INSERT, UPDATE, DELETE ON legacy.domain_events_failure TO %1$s"
                  .formatted(user),
              "user %1$s may not DELETE on legacy.domain_events_header; GRANT DELETE ON legacy.domain_events_header TO %1$s"
                  .formatted(user));

      TableShape.execute(
          dataSource,
          "GRANT UPDATE (sent) ON legacy.domain_events TO " + user,
          "GRANT INSERT, UPDATE, DELETE ON legacy.domain_events_failure TO " + user);
      assertThat(LayoutCheck.of(relay, AdoptedSample.LAYOUT).relay()).isEmpty();
    } finally {
      TableShape.execute(dataSource, "DROP OWNED BY " + user, "DROP ROLE " + user);
    }
  }

  private HikariDataSource login(String user) {
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(database.jdbcUrl());
    pool.setUsername(user);
    pool.setMaximumPoolSize(1);
    return new HikariDataSource(pool);
  }
}
