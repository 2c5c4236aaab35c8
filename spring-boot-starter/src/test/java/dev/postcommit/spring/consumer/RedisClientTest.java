package dev.postcommit.spring.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.settings.SettingException;
import dev.postcommit.spring.Contexts;
import dev.postcommit.spring.settings.SetupException;
import io.lettuce.core.RedisClient;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The client for an inbox in Redis, as far as settings decide. */
class RedisClientTest {
  private final ApplicationContextRunner application =
      Contexts.withoutDatabase()
          .withBean(Fine.class)
          .withPropertyValues(
              "spring.application.name=stock",
              "spring.kafka.bootstrap-servers=localhost:1",
              "postcommit.relay.enabled=false",
              "postcommit.consumer.topics=orders",
              "postcommit.consumer.inbox=redis");

  /** A handler. */
  static class Fine {
    @EventHandler("order.placed")
    void on(String order) {}
  }

  @Test
  void aBundleIsNotIgnored() {
    for (String address : new String[] {"host=localhost", "url=redis://localhost"}) {
      ApplicationContextRunner bundled =
          application.withPropertyValues(
              "spring.data.redis." + address, "spring.data.redis.ssl.bundle=redis");
      bundled.run(
          context ->
              assertThat(context.getStartupFailure())
                  .rootCause()
                  .isInstanceOf(SetupException.class)
                  .hasMessageContaining("spring.data.redis.ssl.bundle is set")
                  .hasMessageContaining("declare a bean of type io.lettuce.core.RedisClient"));
      bundled
          .withBean("own", RedisClient.class, RedisClient::create)
          .run(context -> assertThat(context).hasNotFailed());
    }
  }

  @Test
  void anInvalidAddressIsNamedWithoutItsPassword() {
    application
        .withPropertyValues("spring.data.redis.url=redis://user:se cret@localhost")
        .run(
            context -> {
              assertThat(context.getStartupFailure())
                  .rootCause()
                  .isInstanceOf(SettingException.class)
                  .hasMessageContaining("spring.data.redis.url: is not the address of a Redis");
              assertThat(context.getStartupFailure())
                  .satisfies(e -> assertThat(e).asString().doesNotContain("cret"))
                  .rootCause()
                  .hasNoCause();
              assertThat(context.getStartupFailure().getMessage()).doesNotContain("cret");
            });
    application
        .withPropertyValues("spring.data.redis.host=localhost", "spring.data.redis.port=6379x")
        .run(
            context ->
                assertThat(context.getStartupFailure())
                    .rootCause()
                    .isInstanceOf(SettingException.class)
                    .hasMessageContaining("spring.data.redis.port: is not a number"));
  }
}
