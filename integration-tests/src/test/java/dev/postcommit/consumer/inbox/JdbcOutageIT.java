package dev.postcommit.consumer.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.consumer.inbox.Begin.Proceed;
import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.layout.TableName;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the store says while Postgres is down, and that it recovers by itself. */
class JdbcOutageIT {
  private static final Duration HOUR = Duration.ofHours(1);

  private final PostgresServer server = PostgresServer.start();
  private final HikariDataSource pool = pool(server);
  private final JdbcIdempotencyStore store =
      JdbcIdempotencyStore.builder(pool, "inventory").build();

  private static HikariDataSource pool(PostgresServer server) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(server.jdbcUrl());
    config.setUsername(server.username());
    config.setConnectionTimeout(250);
    config.setInitializationFailTimeout(-1);
    return new HikariDataSource(config);
  }

  @AfterEach
  void close() {
    pool.close();
    server.close();
  }

  private static void assertUnavailable(ThrowingCallable call) {
    long begin = System.nanoTime();
    assertThatThrownBy(call).isInstanceOf(StoreUnavailableException.class);
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(4));
  }

  private void assertEveryCallIsUnavailable(Mark mark) {
    assertUnavailable(() -> store.begin("inventory", mark.eventId()));
    assertUnavailable(() -> store.checkAndMarkProcessed("inventory", mark.eventId(), HOUR));
    assertUnavailable(() -> store.delete("inventory", mark.eventId()));
    assertUnavailable(() -> store.abandon(List.of(mark)));
    assertUnavailable(store::prune);
    assertThat(store.complete(mark).toCompletableFuture())
        .failsWithin(Duration.ofSeconds(4))
        .withThrowableThat()
        .withCauseInstanceOf(StoreUnavailableException.class);
  }

  @Test
  @DisplayName("R44: a Postgres that is down is told of, and marks are there when it is back")
  void anOutageIsToldOfAndEnds() {
    String processed = UUID.randomUUID().toString();
    String open = UUID.randomUUID().toString();
    server.stopImmediate();
    assertUnavailable(() -> store.problem(processed));
    assertEveryCallIsUnavailable(new Mark("inventory", processed, UUID.randomUUID().toString()));
    server.restart();
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> store.begin("inventory", processed))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("InboxMigration.migrate"));
    InboxMigration.migrate(pool, TableName.of("processed_events"));

    Mark first = ((Proceed) store.begin("inventory", processed)).mark();
    assertThat(store.complete(first).toCompletableFuture().join()).isTrue();
    Mark second = ((Proceed) store.begin("inventory", open)).mark();
    server.stopImmediate();
    assertEveryCallIsUnavailable(second);
    server.restart();
    await()
        .atMost(Duration.ofSeconds(20))
        .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
        .until(() -> store.begin("inventory", processed) == Begin.DUPLICATE);

    assertThat(store.begin("inventory", open)).isEqualTo(Begin.IN_PROGRESS);
    assertThat(store.complete(second).toCompletableFuture().join()).isTrue();
  }
}
