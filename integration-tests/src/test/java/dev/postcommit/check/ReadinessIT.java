package dev.postcommit.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.fixture.TableShape;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.store.LayoutCheck;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tables that have all columns, and are not to be used: not restored yet, or out of order. */
class ReadinessIT {
  private static final Layout NATIVE = Layout.nativeTable();
  private static final String SEQUENCE = "postcommit_outbox_seq_seq";

  private final PostgresDatabase database = PostgresServer.shared().createDatabase();
  private final DataSource dataSource = database.dataSource();
  private final List<String> delivered = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    database.close();
  }

  private void execute(String... statements) throws SQLException {
    TableShape.execute(dataSource, statements);
  }

  private List<String> problems(Layout layout) {
    return LayoutCheck.of(dataSource, layout).relay();
  }

  private Relay relay(Layout layout) {
    Publisher publisher =
        Publisher.callback(Duration.ofSeconds(1), message -> delivered.add(message.key()));
    return Relay.builder(dataSource, publisher)
        .layout(layout)
        .pollInterval(Duration.ofMillis(20))
        .build();
  }

  private void write(String key) throws SQLException {
    try (Connection tx = dataSource.getConnection()) {
      tx.setAutoCommit(false);
      Outbox.builder(NATIVE)
          .build()
          .enqueue(tx, Event.builder("happened").key(key).json("1").build());
      tx.commit();
    }
  }

  @Test
  @DisplayName("R2: a sequence that does not count one by one is named, with what to run")
  void numbersOutOfOrderAreNamed() throws SQLException {
    for (Layout layout : List.of(NATIVE, Layout.log())) {
      OutboxMigration.migrate(dataSource, layout);
    }
    for (Map.Entry<String, Layout> each :
        Map.of(
                SEQUENCE,
                NATIVE,
                "postcommit_log_seq",
                Layout.log(),
                "postcommit_log_diverted_seq_seq",
                Layout.log())
            .entrySet()) {
      String sequence = each.getKey();
      execute("ALTER SEQUENCE %s CACHE 100 INCREMENT 2 CYCLE".formatted(sequence));
      assertThat(problems(each.getValue()))
          .containsExactly(
              "sequence %1$s gives out numbers in another order than one by one (cache 100, increment 2, cycle); ALTER SEQUENCE %1$s INCREMENT 1 CACHE 1 NO CYCLE, then reconnect the writers, as a session may keep numbers that it has cached"
                  .formatted(sequence));
      execute("ALTER SEQUENCE %s INCREMENT 1 CACHE 1 NO CYCLE".formatted(sequence));
      assertThat(problems(each.getValue())).isEmpty();
    }
  }

  @Test
  @DisplayName("R2: a relay claims nothing while numbers are cached, from its start on")
  void nothingIsClaimedWhileNumbersAreCached() throws SQLException {
    OutboxMigration.migrate(dataSource, NATIVE);
    execute("ALTER SEQUENCE %s CACHE 100".formatted(SEQUENCE));
    write("a");
    try (Relay relay = relay(NATIVE)) {
      relay.start();
      await().until(() -> relay.state() == Relay.State.DATABASE_UNAVAILABLE);
      assertThat(delivered).isEmpty();
      execute("ALTER SEQUENCE %s CACHE 1".formatted(SEQUENCE));
      await().until(() -> delivered.contains("a"));
      assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);
    }
  }

  @Test
  @DisplayName("R2: after an error the table is checked anew before anything is claimed")
  void afterAnErrorTheTableIsCheckedAnew() throws SQLException {
    OutboxMigration.migrate(dataSource, NATIVE);
    try (Relay relay = relay(NATIVE)) {
      relay.start();
      write("a");
      await().until(() -> delivered.contains("a"));
      execute("ALTER TABLE postcommit_outbox RENAME TO away");
      await().until(() -> relay.state() == Relay.State.DATABASE_UNAVAILABLE);
      execute(
          "ALTER TABLE postcommit_outbox_claim DROP CONSTRAINT postcommit_outbox_claim_pkey",
          "ALTER TABLE away RENAME TO postcommit_outbox");
      write("b");
      assertThat(problems(NATIVE)).hasSize(1);
      await()
          .during(Duration.ofMillis(300))
          .until(
              () -> {
                relay.retryNow();
                return !delivered.contains("b");
              });
      execute("ALTER TABLE postcommit_outbox_claim ADD PRIMARY KEY (id)");
      await().until(() -> delivered.contains("b"));
    }
  }

  @Test
  @DisplayName("R1: a table is not used before its own and its side tables' rows are all there")
  void primaryKeysComeAfterTheirRows() throws SQLException {
    Layout logistik = Layout.preset("logistik");
    Layout packFinderz = Layout.preset("packfinderz");
    Layout log = Layout.log();
    Map<Layout, List<String>> tables =
        Map.of(
            NATIVE, List.of("postcommit_outbox_claim", "postcommit_outbox_pause"),
            logistik, List.of(logistik.headers().orElseThrow().toString()),
            packFinderz, List.of(packFinderz.failures().orElseThrow().toString()),
            log,
                List.of(
                    "postcommit_log",
                    "postcommit_log_cursor",
                    "postcommit_log_dedupe",
                    "postcommit_log_diverted_claim"));
    for (Map.Entry<Layout, List<String>> each : tables.entrySet()) {
      Layout layout = each.getKey();
      try (PostgresDatabase own = PostgresServer.shared().createDatabase()) {
        OutboxMigration.migrate(own.dataSource(), layout);
        for (String table : each.getValue()) {
          TableShape.execute(
              own.dataSource(),
              "ALTER TABLE %1$s DROP CONSTRAINT %1$s_pkey CASCADE".formatted(table));
          assertThat(LayoutCheck.of(own.dataSource(), layout).relay())
              .anyMatch(
                  text -> text.matches("there is no valid primary key on .*" + table + "[:,].*"));
        }
      }
    }
  }

  @Test
  @DisplayName("R1: numbers that start again lose nothing in a native table")
  void numbersThatStartAgain() throws SQLException {
    OutboxMigration.migrate(dataSource, NATIVE);
    try (Relay relay = relay(NATIVE)) {
      relay.start();
      for (int i = 0; i < 50; i++) {
        write("before");
      }
      await().until(() -> delivered.size() == 50);
      execute("TRUNCATE postcommit_outbox RESTART IDENTITY");
      write("a");
      await().until(() -> delivered.contains("a"));
      execute("SELECT setval('" + SEQUENCE + "', 30)");
      write("b");
      execute("SELECT setval('" + SEQUENCE + "', 20)");
      write("c");
      await().until(() -> delivered.containsAll(List.of("b", "c")));
    }
  }
}
