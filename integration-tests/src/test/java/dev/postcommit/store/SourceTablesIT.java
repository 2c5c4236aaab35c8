package dev.postcommit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Lifecycle.OnDelivery;
import dev.postcommit.layout.Lifecycle.ProcessedFlag;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rows that the writers of the source systems insert themselves, and what becomes of them. */
class SourceTablesIT {
  private PostgresDatabase database;

  @BeforeEach
  void createDatabase() {
    database = PostgresServer.shared().createDatabase();
  }

  @AfterEach
  void dropDatabase() {
    database.close();
  }

  @Test
  @DisplayName("R17: PackFinderz rows come oldest first; those at the limit are skipped and kept")
  void packFinderzRowsComeOldestFirst() throws SQLException {
    Layout layout = migrated(Layout.preset("packfinderz"));
    UUID second = packFinderz("2026-01-01 10:00+00", 24);
    UUID first = packFinderz("2026-01-01 09:00+00", 0);
    UUID worn = packFinderz("2026-01-01 08:00+00", 25);

    try (OutboxStore store = store(layout)) {
      Claim claim = store.claim(request(layout));
      assertThat(ids(claim)).containsExactly(first.toString(), second.toString());
      assertThat(claim.events()).extracting(StoredEvent::attempt).containsExactly(1, 25);
      store.settle(
          claim,
          List.of(
              new Outcome.Delivered(first.toString()),
              new Outcome.Dead(second.toString(), "refused")));
    }

    assertThat(row(first)).isEqualTo("published 0 null");
    assertThat(row(second)).isEqualTo("unpublished 25 refused");
    assertThat(row(worn)).isEqualTo("unpublished 25 null");
    assertThat(OutboxAdmin.of(database.dataSource(), layout).status().dead()).isEqualTo(2);
  }

  @Test
  @DisplayName(
      "R22: a PackFinderz failure counts an attempt and keeps its error; a success does not")
  void aPackFinderzFailureCountsAnAttempt() throws SQLException {
    Layout layout = migrated(Layout.preset("packfinderz"));
    UUID id = packFinderz("2026-01-01 10:00+00", 0);

    try (OutboxStore store = store(layout)) {
      Claim claim = store.claim(request(layout));
      store.settle(claim, List.of(new Outcome.Retry(id.toString(), "late", Duration.ofHours(1))));
      assertThat(row(id)).isEqualTo("unpublished 1 late");
      assertThat(store.claim(request(layout)).isEmpty()).isTrue();

      execute("DELETE FROM outbox_events_failure");
      store.ack(claimSoon(store, layout), id.toString());
      assertThat(row(id)).isEqualTo("published 1 late");
    }
  }

  @Test
  @DisplayName("R17: a PackFinderz row whose attempt_count an operator resets is delivered again")
  void aPackFinderzRowThatIsResetIsDeliveredAgain() throws SQLException {
    Layout layout = migrated(Layout.preset("packfinderz"));
    UUID id = packFinderz("2026-01-01 10:00+00", 0);

    try (OutboxStore store = store(layout)) {
      store.settle(
          store.claim(request(layout)), List.of(new Outcome.Dead(id.toString(), "refused")));
      assertThat(row(id)).isEqualTo("unpublished 25 refused");
      assertThat(store.claim(request(layout)).isEmpty()).isTrue();

      execute("UPDATE outbox_events SET attempt_count = 0");
      assertThat(claimSoon(store, layout).events())
          .extracting(StoredEvent::attempt)
          .containsExactly(1);
    }
  }

  @Test
  @DisplayName("R18: Logistik rows that are pending and due come by next_attempt_at")
  void logistikRowsComeByNextAttemptAt() throws SQLException {
    Layout layout = migrated(Layout.preset("logistik"));
    UUID later = logistik("PENDING", "now() - interval '1 minute'");
    UUID sooner = logistik("PENDING", "now() - interval '2 minutes'");
    logistik("PENDING", "now() + interval '1 hour'");
    logistik("PUBLISHED", "now() - interval '3 minutes'");
    logistik("FAILED", "now() - interval '3 minutes'");

    try (OutboxStore store = store(layout)) {
      assertThat(ids(store.claim(request(layout))))
          .containsExactly(sooner.toString(), later.toString());
    }
  }

  @Test
  @DisplayName("R35: Logistik waits 1 s times 2 to the retry_count, and fails after five attempts")
  void logistikDoublesItsDelays() throws SQLException {
    Layout layout = migrated(Layout.preset("logistik"));
    UUID id = logistik("PENDING", "now()");

    try (OutboxStore store = store(layout)) {
      for (int attempt = 1; attempt <= 5; attempt++) {
        store.nack(claimSoon(store, layout), id.toString(), "down", layout.retryPolicy());
        String delay =
            value(
                "SELECT round(extract(epoch FROM next_attempt_at - clock_timestamp()) + 0.4)"
                    + " FROM outbox_events");
        String state = value("SELECT status || ' ' || retry_count FROM outbox_events");
        assertThat(state).isEqualTo(attempt < 5 ? "PENDING " + attempt : "FAILED 5");
        if (attempt < 5) {
          assertThat(Integer.parseInt(delay)).isEqualTo(1 << (attempt - 1));
        }
        execute("UPDATE outbox_events SET next_attempt_at = now()");
      }
    }
  }

  @Test
  @DisplayName(
      "R26: a PolyShop row that fails keeps its error_message, and processed once it is sent")
  void aPolyShopRowKeepsItsError() throws SQLException {
    Layout layout = migrated(Layout.preset("polyshop"));
    UUID id = polyShop();

    try (OutboxStore store = store(layout)) {
      Claim claim = store.claim(request(layout));
      assertThat(claim.events().get(0).key()).isEqualTo("order-1");
      store.settle(claim, List.of(new Outcome.Retry(id.toString(), "down", Duration.ofMillis(1))));
      assertThat(processed()).isEqualTo("false down");

      Claim again = claimSoon(store, layout);
      assertThat(again.events().get(0).attempt()).isEqualTo(2);
      store.ack(again, id.toString());
      assertThat(processed()).isEqualTo("true down");
      assertThat(value("SELECT processed_at IS NOT NULL FROM outbox_events")).isEqualTo("t");
      assertThat(value("SELECT count(*) FROM outbox_events_failure")).isEqualTo("0");
    }
  }

  @Test
  @DisplayName("R26: a PolyShop row that is refused is kept, or marked processed if that is wanted")
  void aRefusedPolyShopRowIsKeptOrMarked() throws SQLException {
    Layout keeping = migrated(Layout.preset("polyshop"));
    for (boolean marks : List.of(false, true)) {
      Layout layout = keeping.withLifecycle(new ProcessedFlag(marks, OnDelivery.KEEP));
      execute("TRUNCATE outbox_events, outbox_events_failure");
      UUID id = polyShop();
      try (OutboxStore store = store(layout)) {
        store.settle(store.claim(request(layout)), List.of(new Outcome.Dead(id.toString(), "no")));

        assertThat(processed()).isEqualTo(marks + " no");
        assertThat(store.claim(request(layout)).isEmpty()).isTrue();
        assertThat(OutboxAdmin.of(database.dataSource(), layout).dead(id.toString())).isPresent();
      }
    }
  }

  private Layout migrated(Layout layout) {
    OutboxMigration.migrate(database.dataSource(), layout);
    return layout;
  }

  private OutboxStore store(Layout layout) {
    return OutboxStore.of(database.dataSource(), layout, UUID.randomUUID());
  }

  private static ClaimRequest request(Layout layout) {
    return ClaimRequest.of(10, Duration.ofMinutes(1), layout.retryPolicy().maxAttempts());
  }

  private static Claim claimSoon(OutboxStore store, Layout layout) {
    Claim[] claim = {Claim.EMPTY};
    await()
        .until(
            () -> {
              claim[0] = store.claim(request(layout));
              return !claim[0].isEmpty();
            });
    return claim[0];
  }

  private static List<String> ids(Claim claim) {
    return claim.events().stream().map(StoredEvent::id).toList();
  }

  private UUID packFinderz(String createdAt, int attempts) throws SQLException {
    UUID id = UUID.randomUUID();
    execute(
        """
        INSERT INTO outbox_events
          (id, event_type, aggregate_type, aggregate_id, payload_json, created_at, attempt_count)
        VALUES ('%s', 'order_created', 'vendor_order', gen_random_uuid(), '{}', '%s', %d)"""
            .formatted(id, createdAt, attempts));
    return id;
  }

  private UUID logistik(String status, String due) throws SQLException {
    UUID id = UUID.randomUUID();
    execute(
        """
        INSERT INTO outbox_events (id, aggregate_type, aggregate_id, event_type, payload, status,
          next_attempt_at)
        VALUES ('%s', 'Order', gen_random_uuid(), 'OrderCreated', '{}', '%s', %s)"""
            .formatted(id, status, due));
    return id;
  }

  private UUID polyShop() throws SQLException {
    UUID id = UUID.randomUUID();
    execute(
        """
        INSERT INTO outbox_events (id, aggregate_id, event_type, payload)
        VALUES ('%s', 'order-1', 'order.order.placed.v1', '{}')"""
            .formatted(id));
    return id;
  }

  private String row(UUID id) throws SQLException {
    return value(
        """
        SELECT CASE WHEN published_at IS NULL THEN 'unpublished' ELSE 'published' END || ' '
          || attempt_count || ' ' || coalesce(last_error, 'null')
        FROM outbox_events WHERE id = '%s'"""
            .formatted(id));
  }

  private String processed() throws SQLException {
    return value("SELECT processed || ' ' || error_message FROM outbox_events");
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private String value(String sql) throws SQLException {
    List<String> values = new ArrayList<>();
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    assertThat(values).hasSize(1);
    return values.get(0);
  }
}
