package dev.postcommit.server.security;

import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.postgres.PostgresServer;
import dev.postcommit.testkit.redis.RedisServer;
import dev.postcommit.testkit.tls.CertificateAuthority;
import dev.postcommit.testkit.tls.IssuedCertificate;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Servers that ask for TLS, passwords and client certificates, and a directory with what their
 * clients need: {@code ca.crt}, {@code relay.*} for the user relay, and the same of another
 * authority, {@code other-ca.crt} and {@code stranger.*}.
 */
public final class SecureServers {
  public static final String PASSWORD = "correct-horse";

  private static final String PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule";
  private static final String SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule";

  private static SecureServers sharedServers;

  private final Path directory;
  private PostgresServer postgres;
  private KafkaServer kafka;
  private final CertificateAuthority authority = CertificateAuthority.create("Test CA");
  private final IssuedCertificate server = authority.issue("server", "127.0.0.1", "localhost");

  private SecureServers(Path directory) {
    this.directory = directory;
    CertificateAuthority other = CertificateAuthority.create("Other CA");
    authority.writeTo(directory.resolve("ca.crt"));
    other.writeTo(directory.resolve("other-ca.crt"));
    authority.issue("relay").writeTo(directory, "relay");
    other.issue("relay").writeTo(directory, "stranger");
    authority.issueExpired("relay").writeTo(directory, "expired-relay");
    server.writeTo(directory, "server");
    authority.issue("elsewhere", "db.example.com").writeTo(directory, "elsewhere");
    authority.issueExpired("server", "127.0.0.1").writeTo(directory, "expired");
  }

  /** Those that all tests of this JVM share; each is started by the first who asks for it. */
  public static synchronized SecureServers shared() {
    if (sharedServers == null) {
      try {
        Path directory = Files.createTempDirectory("postcommit-certificates-");
        sharedServers = new SecureServers(directory);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(directory)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return sharedServers;
  }

  private static void delete(Path directory) {
    File[] files = directory.toFile().listFiles();
    for (File file : files == null ? new File[0] : files) {
      file.delete();
    }
    directory.toFile().delete();
  }

  /** Where the certificates are. */
  public Path directory() {
    return directory;
  }

  /** The Postgres whose certificate is in order, with its users. */
  public synchronized PostgresServer postgres() {
    if (postgres == null) {
      postgres = postgres("server");
      createUsers(postgres);
    }
    return postgres;
  }

  /** The broker. */
  public synchronized KafkaServer kafka() {
    if (kafka == null) {
      kafka = startKafka();
    }
    return kafka;
  }

  /** A block of the page on security, by the name above it. */
  public static String recipe(String name) {
    try {
      Matcher block =
          Pattern.compile("<!-- recipe: " + name + " -->\\n```\\w*\\n(.*?)```", Pattern.DOTALL)
              .matcher(Files.readString(Path.of("..", "docs", "security.md")));
      if (!block.find()) {
        throw new IllegalArgumentException("no recipe on the page: " + name);
      }
      return block.group(1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String file(String name) {
    return directory.resolve(name).toString();
  }

  /**
   * A Postgres with the certificate of a name. The superuser comes without anything, the others as
   * the page says: the user app with TLS and a password, the user relay with TLS and a certificate.
   */
  public PostgresServer postgres(String certificate) {
    IssuedCertificate issued =
        switch (certificate) {
          case "elsewhere" -> authority.issue("elsewhere", "db.example.com");
          case "expired" -> authority.issueExpired("server", "127.0.0.1");
          default -> server;
        };
    return PostgresServer.builder()
        .setting("ssl", "on")
        .setting("ssl_ca_file", "ca.crt")
        .setting("password_encryption", "scram-sha-256")
        .file("server.crt", issued.certificatePem())
        .file("server.key", issued.keyPem())
        .file("ca.crt", authority.pem())
        .file(
            "pg_hba.conf",
            "host all postgres 127.0.0.1/32 trust\n"
                + recipe("pg_hba").replace("10.0.0.0/8", "127.0.0.1/32"))
        .start();
  }

  /** Makes the users of the page; the second may do what the first may. */
  private static void createUsers(PostgresServer postgres) {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE ROLE app LOGIN PASSWORD '" + PASSWORD + "'");
      statement.execute("CREATE ROLE relay LOGIN IN ROLE app");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A broker with a listener for each way to be asked, all of the same topics. */
  private KafkaServer startKafka() {
    KafkaServer started =
        KafkaServer.builder()
            .listener("TLS", "SSL", tls("server"))
            .listener("MTLS", "SSL", with(tls("server"), clientCertificates()))
            .listener("ELSEWHERE", "SSL", tls("elsewhere"))
            .listener("EXPIRED", "SSL", tls("expired"))
            .listener("SASL_TLS", "SASL_SSL", with(tls("server"), sasl()))
            .listener("SASL", "SASL_PLAINTEXT", sasl())
            .start();
    started.addUser("relay", PASSWORD);
    return started;
  }

  /** A Redis with the certificate of a name, and the users of the page. */
  public RedisServer redis(String certificate) {
    try {
      Path users = Files.writeString(directory.resolve("users.acl"), recipe("redis-acl"));
      return RedisServer.builder()
          .tls(
              directory.resolve(certificate + ".crt"),
              directory.resolve(certificate + ".key"),
              directory.resolve("ca.crt"))
          .setting("aclfile", users.toString())
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, String> tls(String certificate) {
    return Map.of(
        "ssl.keystore.type",
        "PEM",
        "ssl.keystore.location",
        file(certificate + ".pem"),
        "ssl.truststore.type",
        "PEM",
        "ssl.truststore.location",
        file("ca.crt"));
  }

  private static Map<String, String> clientCertificates() {
    return Map.of("ssl.client.auth", "required");
  }

  private static Map<String, String> sasl() {
    return Map.of(
        "sasl.enabled.mechanisms",
        "PLAIN,SCRAM-SHA-512",
        "plain.sasl.jaas.config",
        PLAIN + " required user_relay=\"" + PASSWORD + "\";",
        "scram-sha-512.sasl.jaas.config",
        SCRAM + " required;");
  }

  private static Map<String, String> with(Map<String, String> some, Map<String, String> more) {
    Map<String, String> all = new HashMap<>(some);
    all.putAll(more);
    return all;
  }
}
