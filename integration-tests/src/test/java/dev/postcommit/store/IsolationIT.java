package dev.postcommit.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Applications that set a stricter isolation for all their connections. */
class IsolationIT {
  private static final int EVENTS = 400;
  private static final int WORKERS = 8;

  @Test
  @DisplayName("R16: claims never share an event on a data source that defaults to repeatable read")
  void claimsExcludeEachOtherUnderRepeatableRead() throws Exception {
    try (PostgresDatabase database = PostgresServer.shared().createDatabase();
        HikariDataSource dataSource = repeatableRead(database)) {
      Layout layout = Layout.nativeTable();
      OutboxMigration.migrate(dataSource, layout);
      enqueue(dataSource);

      List<String> taken = claimAll(dataSource, layout);

      assertThat(taken).hasSize(EVENTS).doesNotHaveDuplicates();
    }
  }

  private static HikariDataSource repeatableRead(PostgresDatabase database) {
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(database.jdbcUrl());
    pool.setUsername(database.username());
    pool.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
    pool.setAutoCommit(false);
    return new HikariDataSource(pool);
  }

  private static void enqueue(DataSource dataSource) throws SQLException {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      events.add(Event.builder("happened").key("k" + i).json("1").build());
    }
    try (Connection tx = dataSource.getConnection()) {
      tx.setAutoCommit(false);
      Outbox.create().enqueueAll(tx, events);
      tx.commit();
    }
  }

  private static List<String> claimAll(DataSource dataSource, Layout layout) throws Exception {
    ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
    try {
      Callable<List<String>> worker =
          () -> {
            OutboxStore store = OutboxStore.of(dataSource, layout, UUID.randomUUID());
            ClaimRequest request = ClaimRequest.of(5, Duration.ofMinutes(5), 3);
            List<String> all = new ArrayList<>();
            for (Claim claim = store.claim(request);
                !claim.isEmpty();
                claim = store.claim(request)) {
              claim.events().stream().map(StoredEvent::id).forEach(all::add);
            }
            return all;
          };
      List<Future<List<String>>> results = new ArrayList<>();
      for (int i = 0; i < WORKERS; i++) {
        results.add(workers.submit(worker));
      }
      List<String> taken = new ArrayList<>();
      for (Future<List<String>> result : results) {
        taken.addAll(result.get());
      }
      return taken;
    } finally {
      workers.shutdownNow();
    }
  }
}
