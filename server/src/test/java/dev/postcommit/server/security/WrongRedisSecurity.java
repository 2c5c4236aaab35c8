package dev.postcommit.server.security;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.consumer.inbox.RedisIdempotencyStore;
import dev.postcommit.consumer.inbox.StoreUnavailableException;
import dev.postcommit.testkit.redis.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import java.io.File;
import java.net.URI;
import java.time.Duration;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** A wrong setting of TLS or a login to Redis is named, with what to set. */
abstract class WrongRedisSecurity {
  private static final SecureServers SERVERS = SecureServers.shared();
  private static final String PASSWORD = SecureServers.PASSWORD;

  private static String file(String name) {
    return SERVERS.directory().resolve(name).toString();
  }

  private static RedisURI redis(RedisServer server, boolean tls, String user, String password) {
    URI address = URI.create(tls ? server.tlsUrl() : server.url());
    RedisURI.Builder uri =
        RedisURI.builder()
            .withHost(address.getHost())
            .withPort(address.getPort())
            .withSsl(true)
            .withVerifyPeer(SslVerifyMode.FULL);
    return (user.isEmpty() ? uri : uri.withAuthentication(user, password)).build();
  }

  private static SslOptions ssl(String authority, String certificate) {
    SslOptions.Builder options = SslOptions.builder().trustManager(new File(file(authority)));
    return certificate.isEmpty()
        ? options.build()
        : options
            .keyManager(
                new File(file(certificate + ".crt")), new File(file(certificate + ".key")), null)
            .build();
  }

  /** Marks an event, which fails. */
  private static String failure(RedisURI uri, SslOptions ssl, Duration timeout) {
    try (RedisClient client = RedisClient.create(uri)) {
      client.setOptions(ClientOptions.builder().sslOptions(ssl).build());
      try (RedisIdempotencyStore store =
          RedisIdempotencyStore.builder(client).timeout(timeout).build()) {
        return assertThatThrownBy(
                () -> store.checkAndMarkProcessed("consumer", "1", Duration.ofDays(1)))
            .isInstanceOf(StoreUnavailableException.class)
            .actual()
            .getMessage();
      }
    }
  }

  @Test
  void ofRedis() {
    Duration patience = Duration.ofSeconds(30);
    SslOptions good = ssl("ca.crt", "relay");
    SoftAssertions all = new SoftAssertions();
    try (RedisServer server = SERVERS.redis("server");
        RedisServer elsewhere = SERVERS.redis("elsewhere");
        RedisServer expired = SERVERS.redis("expired")) {
      RedisURI uri = redis(server, true, "consumer", PASSWORD);
      all.assertThat(failure(uri, ssl("other-ca.crt", "relay"), patience))
          .contains("signed by an authority that is not trusted", "trustManager");
      all.assertThat(failure(uri, ssl("ca.crt", ""), patience))
          .contains("asks for a client certificate", "certificate_required", "keyManager");
      all.assertThat(failure(uri, ssl("ca.crt", "stranger"), patience))
          .contains("asks for a client certificate", "unknown_ca", "keyManager");
      all.assertThat(failure(redis(elsewhere, true, "consumer", PASSWORD), good, patience))
          .contains("not for this host", "write the host in the RedisURI");
      all.assertThat(failure(redis(expired, true, "consumer", PASSWORD), good, patience))
          .contains("certificate has expired", "give the server a new one");
      all.assertThat(failure(redis(server, true, "consumer", "wrong"), good, patience))
          .contains("WRONGPASS", "check the RedisURI's user and password");
      all.assertThat(failure(redis(server, true, "", ""), good, patience))
          .contains("NOAUTH", "give the RedisURI a user and a password");
      all.assertThat(
              failure(redis(server, false, "consumer", PASSWORD), good, Duration.ofSeconds(1)))
          .contains("no connection to Redis within 1000 ms", "a port that expects TLS is for");
      RedisURI plain = redis(server, true, "consumer", PASSWORD);
      plain.setSsl(false);
      all.assertThat(failure(plain, good, patience))
          .contains("check host and port", "a port that expects TLS is for");
    }
    all.assertAll();
  }
}
