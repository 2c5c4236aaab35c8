package dev.postcommit.spring.consumer;

import dev.postcommit.settings.SettingException;
import dev.postcommit.spring.settings.SetupException;
import dev.postcommit.spring.settings.SpringSettings;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/** A client of the Redis that Spring's settings name, if the inbox is there. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RedisClient.class)
@ConditionalOnProperty(name = "postcommit.consumer.inbox", havingValue = "redis")
@ConditionalOnMissingBean(RedisClient.class)
@Conditional(RedisClientConfiguration.Known.class)
class RedisClientConfiguration {
  private static final String PREFIX = "spring.data.redis.";

  /** Whether the address is known. */
  static final class Known extends AnyNestedCondition {
    Known() {
      super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnProperty("spring.data.redis.url")
    static class Url {}

    @ConditionalOnProperty("spring.data.redis.host")
    static class Host {}
  }

  @Bean(destroyMethod = "shutdown")
  RedisClient postcommitRedisClient(SpringSettings settings) {
    return RedisClient.create(address(settings));
  }

  private static RedisURI address(SpringSettings settings) {
    if (settings.text(PREFIX + "ssl.bundle") != null) {
      throw new SetupException(
          PREFIX + "ssl.bundle is set, which the client for the inbox cannot use",
          "declare a bean of type io.lettuce.core.RedisClient that does");
    }
    @Nullable String url = settings.text(PREFIX + "url");
    return url == null ? parts(settings) : parse(url);
  }

  /** What Lettuce says of an invalid one has the password in it. */
  private static RedisURI parse(String url) {
    try {
      return RedisURI.create(url);
    } catch (IllegalArgumentException e) {
      throw new SettingException(
          PREFIX + "url: is not the address of a Redis, as redis://user:password@host:6379/0");
    }
  }

  private static RedisURI parts(SpringSettings settings) {
    RedisURI.Builder address =
        RedisURI.builder()
            .withHost(String.valueOf(settings.text(PREFIX + "host")))
            .withPort(number(settings, "port", RedisURI.DEFAULT_REDIS_PORT))
            .withDatabase(number(settings, "database", 0))
            .withSsl(Boolean.parseBoolean(settings.text(PREFIX + "ssl.enabled")));
    @Nullable String password = settings.text(PREFIX + "password");
    @Nullable String user = settings.text(PREFIX + "username");
    if (password != null && user != null) {
      address.withAuthentication(user, password.toCharArray());
    } else if (password != null) {
      address.withPassword(password.toCharArray());
    }
    return address.build();
  }

  private static int number(SpringSettings settings, String name, int otherwise) {
    try {
      return Optional.ofNullable(settings.text(PREFIX + name))
          .map(Integer::parseInt)
          .orElse(otherwise);
    } catch (NumberFormatException e) {
      throw new SettingException(PREFIX + name + ": is not a number");
    }
  }
}
