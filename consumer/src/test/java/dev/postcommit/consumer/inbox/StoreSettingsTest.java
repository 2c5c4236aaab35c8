package dev.postcommit.consumer.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.layout.TableName;
import io.lettuce.core.RedisClient;
import java.lang.reflect.Proxy;
import java.time.Duration;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Building a store asks neither Postgres nor Redis, and refuses what cannot be. */
class StoreSettingsTest {
  private final RedisClient client = RedisClient.create("redis://127.0.0.1:1");
  private final DataSource dataSource =
      (DataSource)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {DataSource.class},
              (proxy, method, arguments) -> {
                throw new AssertionError("not to be asked");
              });

  @AfterEach
  void close() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
  }

  @Test
  void anEventIsInProgressForAMinuteUnlessSaidOtherwise() {
    assertThat(JdbcIdempotencyStore.builder(dataSource, "inventory").build().inProgressTime())
        .isEqualTo(Duration.ofMinutes(1));
    assertThat(RedisIdempotencyStore.builder(client).build().inProgressTime())
        .isEqualTo(Duration.ofMinutes(1));
    assertThat(
            JdbcIdempotencyStore.builder(dataSource, "inventory")
                .inProgressTime(Duration.ofSeconds(5))
                .build()
                .inProgressTime())
        .isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void invalidSettingsOfTheJdbcStoreAreRefusedByNameAndValue() {
    JdbcIdempotencyStore.Builder builder = JdbcIdempotencyStore.builder(dataSource, "inventory");

    assertRefused(() -> JdbcIdempotencyStore.builder(dataSource, " "), "consumer", "' '");
    assertRefused(() -> builder.ttl(Duration.ZERO), "ttl", "PT0S");
    assertRefused(() -> builder.inProgressTime(Duration.ofSeconds(-1)), "inProgressTime", "PT-1S");
    String name = "x".repeat(60);
    assertRefused(() -> builder.table(TableName.of(name)), "is not a table name", name);
  }

  @Test
  void invalidSettingsOfTheRedisStoreAreRefusedByNameAndValue() {
    RedisIdempotencyStore.Builder builder = RedisIdempotencyStore.builder(client);

    assertRefused(() -> builder.prefix(""), "prefix", "''");
    assertRefused(() -> builder.ttl(Duration.ofNanos(1)), "ttl", "PT0.000000001S");
    assertRefused(() -> builder.inProgressTime(Duration.ZERO), "inProgressTime", "PT0S");
    assertRefused(() -> builder.timeout(Duration.ZERO), "timeout", "PT0S");
  }

  private static void assertRefused(ThrowingCallable call, String name, String value) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(name)
        .hasMessageContaining(value);
  }
}
