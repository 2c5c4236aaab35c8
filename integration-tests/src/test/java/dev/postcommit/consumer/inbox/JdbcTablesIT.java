package dev.postcommit.consumer.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.PostcommitException;
import dev.postcommit.consumer.inbox.Begin.Proceed;
import dev.postcommit.fixture.Sql;
import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.layout.TableName;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tables of processed events that a system has already. */
class JdbcTablesIT {
  private final PostgresDatabase database = PostgresServer.shared().createDatabase();
  private final DataSource dataSource = database.dataSource();
  private final TableName table = TableName.of("shop.seen_events");

  @AfterEach
  void close() {
    database.close();
  }

  private JdbcIdempotencyStore store(String columns) throws SQLException {
    Sql.execute(
        dataSource,
        "DROP SCHEMA IF EXISTS shop CASCADE",
        "CREATE SCHEMA shop",
        "CREATE DOMAIN shop.short_id AS varchar(8)",
        "CREATE TYPE shop.kind AS ENUM ('placed', 'paid')",
        "CREATE TABLE shop.seen_events (" + columns + ")");
    return JdbcIdempotencyStore.builder(dataSource, "inventory").table(table).build();
  }

  private Set<String> mark(JdbcIdempotencyStore store, ProcessedEvent... events)
      throws SQLException {
    try (Connection tx = dataSource.getConnection()) {
      tx.setAutoCommit(false);
      Set<String> marked = store.markProcessed(tx, List.of(events));
      tx.commit();
      return marked;
    }
  }

  private void assertHandlesOnce(JdbcIdempotencyStore store, String first, String second)
      throws SQLException {
    assertThat(mark(store, new ProcessedEvent(first, "placed", "orders"))).containsExactly(first);
    assertThat(mark(store, new ProcessedEvent(first, null, null))).isEmpty();
    InboxMigration.migrate(dataSource, table);
    assertThat(store.begin("inventory", first)).isEqualTo(Begin.DUPLICATE);
    Begin begin = store.begin("inventory", second);
    assertThat(store.begin("inventory", second)).isEqualTo(Begin.IN_PROGRESS);
    assertThat(store.complete(((Proceed) begin).mark()).toCompletableFuture().join()).isTrue();
    assertThat(mark(store, new ProcessedEvent(second, null, null))).isEmpty();
    assertThat(store.delete("inventory", first)).isTrue();
    assertThat(mark(store, new ProcessedEvent(first, null, null))).containsExactly(first);
    assertThat(store.prune()).isZero();
  }

  @Test
  @DisplayName("R14: ids may be uuid, text, varchar, bigint or a domain; other columns may differ")
  void tablesOfOtherTypesServe() throws SQLException {
    assertHandlesOnce(
        store("event_id uuid PRIMARY KEY, processed_at timestamptz NOT NULL"),
        UUID.randomUUID().toString(),
        UUID.randomUUID().toString());
    assertHandlesOnce(
        store("source varchar(4), event_id text UNIQUE, processed_at timestamp DEFAULT now()"),
        "order-1",
        "order-2");
    assertHandlesOnce(
        store(
            """
            event_id varchar(36) PRIMARY KEY, processed_at timestamptz,
            event_type text NOT NULL, source text NOT NULL, tries int NOT NULL DEFAULT 0"""),
        "order-1",
        "order-2");
    assertHandlesOnce(
        store("event_id bigint PRIMARY KEY, processed_at timestamptz, event_type shop.kind"),
        "-7",
        "9007199254740993");
    assertHandlesOnce(
        store("event_id shop.short_id PRIMARY KEY, processed_at timestamptz"), "a", "12345678");
  }

  @Test
  @DisplayName("R43: ids that the column cannot hold have a problem")
  void idsThatDoNotFitHaveAProblem() throws SQLException {
    JdbcIdempotencyStore number =
        store("event_id bigint PRIMARY KEY, processed_at timestamptz NOT NULL");
    assertThat(number.problem("7a")).contains("'7a'").contains("bigint");
    assertThat(number.problem("0007")).isNull();
    assertThat(mark(number, new ProcessedEvent("0007", null, null))).containsExactly("0007");
    assertThat(mark(number, new ProcessedEvent("7", null, null))).isEmpty();

    JdbcIdempotencyStore text =
        store("event_id varchar(4) PRIMARY KEY, processed_at timestamptz NOT NULL");
    assertThat(text.problem("1234")).isNull();
    assertThat(text.problem("🕰🕰🕰🕰")).isNull();
    assertThat(text.problem("12345")).contains("too long");
    assertThat(text.problem("a\0b")).contains("U+0000");
    assertThat(text.problem("\ud83d")).contains("surrogate");
    assertThat(text.problem(" ")).contains("blank");
  }

  @Test
  @DisplayName("R44: a table that could not keep duplicates out, or not be written, is refused")
  void unfitTablesAreRefused() throws SQLException {
    assertRefused("event_id uuid, processed_at timestamptz", "event_id that is its primary key");
    assertRefused(
        "event_id uuid, consumer text, processed_at timestamptz, UNIQUE (event_id, consumer)",
        "event_id that is its primary key");
    assertRefused("event_id uuid PRIMARY KEY", "processed_at");
    assertRefused("event_id uuid PRIMARY KEY, processed_at date", "processed_at");
    assertRefused("event_id numeric PRIMARY KEY, processed_at timestamptz", "numeric");
    assertRefused(
        "event_id uuid PRIMARY KEY, processed_at timestamptz, tries int NOT NULL", "tries");
  }

  private void assertRefused(String columns, String reason) throws SQLException {
    JdbcIdempotencyStore store = store(columns);
    String id = UUID.randomUUID().toString();

    assertThatThrownBy(() -> store.problem(id))
        .isInstanceOf(PostcommitException.class)
        .hasMessageContaining("shop.seen_events")
        .hasMessageContaining(reason);
    assertThatThrownBy(() -> mark(store, new ProcessedEvent(id, null, null)))
        .isInstanceOf(PostcommitException.class)
        .hasMessageContaining(reason);
  }

  @Test
  @DisplayName("R43: without the tables beside, marks in transactions and single marks work")
  void theTablesBesideAreNeededForWhatIsInProgressOnly() throws SQLException {
    JdbcIdempotencyStore store =
        store("event_id text PRIMARY KEY, processed_at timestamptz NOT NULL");
    Duration hour = Duration.ofHours(1);

    assertThat(mark(store, new ProcessedEvent("1", null, null))).containsExactly("1");
    assertThat(store.checkAndMarkProcessed("inventory", "2", hour)).isFalse();
    assertThat(store.checkAndMarkProcessed("inventory", "2", hour)).isTrue();
    assertThat(store.delete("inventory", "2")).isTrue();
    assertThat(store.prune()).isZero();
    assertThatThrownBy(() -> store.begin("inventory", "3"))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("shop.seen_events_claim is missing")
        .hasMessageContaining("InboxMigration.migrate");

    InboxMigration.migrate(dataSource, table);

    assertThat(store.begin("inventory", "3")).isInstanceOf(Proceed.class);
    assertThat(store.begin("inventory", "1")).isEqualTo(Begin.DUPLICATE);
  }

  @Test
  @DisplayName("a table that is missing is told of, and used when it is there")
  void aMissingTableIsToldOf() throws SQLException {
    JdbcIdempotencyStore store = store("event_id uuid PRIMARY KEY, processed_at timestamptz");
    Sql.execute(dataSource, "DROP TABLE shop.seen_events");
    String id = UUID.randomUUID().toString();
    assertThatThrownBy(() -> store.begin("inventory", id))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("shop.seen_events is missing");

    InboxMigration.migrate(dataSource, table);

    assertThat(store.begin("inventory", id)).isInstanceOf(Proceed.class);
  }
}
