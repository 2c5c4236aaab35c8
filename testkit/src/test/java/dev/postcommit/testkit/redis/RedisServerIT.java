package dev.postcommit.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.testkit.process.Ports;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class RedisServerIT {

  @Test
  void theSharedServerIsOneAndOutlivesItsClosing() {
    RedisServer server = RedisServer.shared();
    server.close();

    assertThat(RedisServer.shared()).isSameAs(server);
    with(server, redis -> assertThat(redis.sync().ping()).isEqualTo("PONG"));
  }

  @Test
  void whatWasAnsweredSurvivesStopsAndKillsOnTheSamePort() {
    try (RedisServer server = RedisServer.start()) {
      int port = server.port();
      with(server, redis -> redis.sync().set("first", "1"));

      server.stop();
      assertThat(Ports.listening(port)).isFalse();
      server.restart();
      with(server, redis -> redis.sync().set("second", "2"));
      server.kill();
      assertThat(Ports.listening(port)).isFalse();
      server.restart();

      assertThat(server.port()).isEqualTo(port);
      assertThat(server.url()).isEqualTo("redis://127.0.0.1:" + port);
      with(
          server,
          redis -> {
            assertThat(redis.sync().get("first")).isEqualTo("1");
            assertThat(redis.sync().get("second")).isEqualTo("2");
          });
    }
  }

  @Test
  void aFrozenServerAnswersNothingUntilItIsThawed() {
    try (RedisServer server = RedisServer.start()) {
      with(
          server,
          redis -> {
            redis.sync().set("key", "value");
            server.freeze();
            redis.setTimeout(Duration.ofMillis(500));
            assertThatThrownBy(() -> redis.sync().get("key"))
                .isInstanceOf(RedisCommandTimeoutException.class);
            server.thaw();
            redis.setTimeout(Duration.ofSeconds(20));
            assertThat(redis.sync().get("key")).isEqualTo("value");
          });
    }
  }

  @Test
  void settingsAreRedisOwn() {
    try (RedisServer server = RedisServer.builder().setting("maxmemory", "7mb").start()) {
      with(
          server,
          redis ->
              assertThat(redis.sync().configGet("maxmemory"))
                  .containsEntry("maxmemory", String.valueOf(7 * 1024 * 1024)));
    }
  }

  @Test
  void aSettingRedisRefusesIsShownWithItsLog() {
    RedisServer.Builder builder = RedisServer.builder().setting("no-such-setting", "1");

    assertThatThrownBy(builder::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no-such-setting");
  }

  @Test
  void aClosedServerCannotBeRestarted() {
    RedisServer server = RedisServer.start();
    server.close();
    server.close();

    assertThat(Ports.listening(server.port())).isFalse();
    assertThatThrownBy(server::restart).isInstanceOf(IllegalStateException.class);
  }

  private static void with(
      RedisServer server, Consumer<StatefulRedisConnection<String, String>> work) {
    RedisClient client = RedisClient.create(RedisURI.create(server.url()));
    try (StatefulRedisConnection<String, String> connection = client.connect()) {
      work.accept(connection);
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
  }
}
