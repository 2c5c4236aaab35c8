package dev.postcommit.server.security;

import static dev.postcommit.server.security.SecureServers.PASSWORD;
import static dev.postcommit.server.security.SecureServers.recipe;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.consumer.inbox.RedisIdempotencyStore;
import dev.postcommit.layout.Layout;
import dev.postcommit.server.CapturedTerminal;
import dev.postcommit.server.Main;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import dev.postcommit.testkit.redis.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.SslVerifyMode;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recipes of {@code docs/security.md}, followed. */
abstract class SecurityRecipes {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final SecureServers SERVERS = SecureServers.shared();

  @TempDir private Path secrets;

  private final Processes processes = Processes.create();
  private PostgresDatabase database;
  private String topic;

  @BeforeEach
  void createDatabase() throws SQLException, IOException {
    database = SERVERS.postgres().createDatabase();
    execute("ALTER DATABASE %s OWNER TO app".formatted(database.name()));
    execute("GRANT CREATE ON SCHEMA public TO app");
    topic = "secure-" + UUID.randomUUID();
    SERVERS.kafka().createTopic(topic, 1);
    Files.writeString(secrets.resolve("database-password"), PASSWORD + "\n");
    Files.copy(SERVERS.directory().resolve("ca.crt"), secrets.resolve("ca.crt"));
  }

  @AfterEach
  void close() {
    processes.close();
    database.close();
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      connection.createStatement().execute(sql);
    }
  }

  /** The text of the page with the hosts and files of this test. */
  private String here(String text) {
    return text.replace("db.example.com:5432/app", "127.0.0.1:" + port() + "/" + database.name())
        .replace("/etc/postcommit/", SERVERS.directory() + "/")
        .replace("/run/secrets/", secrets + "/");
  }

  private int port() {
    return SERVERS.postgres().port();
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(secrets.resolve(name), here(text));
  }

  private void migrate(Map<String, String> environment) {
    Map<String, String> ofDatabase = new HashMap<>(environment);
    ofDatabase.keySet().removeIf(name -> name.contains("KAFKA"));
    CapturedTerminal terminal = CapturedTerminal.withEnvironment(ofDatabase);
    assertThat(terminal.run("migrate")).as(terminal.err()).isZero();
  }

  /** An event gets from the database to the broker by these settings. */
  private void assertDelivers(Map<String, String> environment) throws SQLException {
    enqueue();
    Processes.Builder relay = processes.java(Main.class).arguments("relay");
    environment.forEach(relay::environment);
    ChildProcess process = relay.environment("POSTCOMMIT_HTTP_PORT", "off").start();
    OutboxAdmin admin = OutboxAdmin.of(database.dataSource(), Layout.nativeTable());
    await().atMost(PATIENCE).until(() -> admin.status().pending() == 0 || !process.alive());
    assertThat(process.alive()).as(process.output()).isTrue();
    assertThat(process.output()).doesNotContain(PASSWORD);
    process.terminate();
    assertThat(process.awaitExit(PATIENCE)).as(process.output()).isZero();
  }

  private void enqueue() throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      Outbox.builder(Layout.nativeTable())
          .build()
          .enqueue(connection, Event.builder("order.placed").topic(topic).json("{}").build());
      connection.commit();
    }
  }

  private Map<String, String> environment(String listener, String database, String kafka)
      throws IOException {
    return Map.of(
        "POSTCOMMIT_CONFIG",
        file("settings.properties", recipe(database)).toString(),
        "POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS",
        SERVERS.kafka().bootstrapServers(listener),
        "POSTCOMMIT_KAFKA_CONFIG_FILE",
        file("kafka.properties", recipe(kafka)).toString());
  }

  private void assertDelivers(String listener, String ofDatabase, String ofKafka)
      throws IOException, SQLException {
    Map<String, String> environment = environment(listener, ofDatabase, ofKafka);
    migrate(environment);
    assertDelivers(environment);
  }

  @Test
  void aPasswordAndPlain() throws IOException, SQLException {
    assertDelivers("SASL_TLS", "postgres-scram", "kafka-plain");
  }

  @Test
  void aSettingsFileAndScram() throws IOException {
    assertReaches(environment("SASL_TLS", "settings-file", "kafka-scram"));
  }

  @Test
  void certificates() throws IOException, SQLException {
    assertDelivers("MTLS", "postgres-certificate", "kafka-certificate");
  }

  @Test
  void secretsOfDockerAndKubernetes() throws IOException {
    file("kafka.properties", recipe("kafka-scram"));
    Map<String, String> docker = variables("(POSTCOMMIT_\\w+): (\\S+)", recipe("docker"));
    Map<String, String> kubernetes =
        variables("name: (POSTCOMMIT_\\w+)\\n +value: (\\S+)", recipe("kubernetes"));
    assertThat(docker).hasSize(5);
    assertThat(kubernetes).isEqualTo(docker);
    assertReaches(docker);
  }

  /** Database and broker take these settings. */
  private void assertReaches(Map<String, String> environment) {
    migrate(environment);
    CapturedTerminal terminal = CapturedTerminal.withEnvironment(environment);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(terminal.run("status")).as(terminal.err()).isZero();
              assertThat(terminal.out()).contains("pending    0", ": ok");
            });
  }

  private Map<String, String> variables(String pattern, String recipe) {
    Map<String, String> variables = new HashMap<>();
    Matcher variable = Pattern.compile(pattern).matcher(recipe);
    while (variable.find()) {
      variables.put(variable.group(1), here(variable.group(2)));
    }
    variables.put(
        "POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS", SERVERS.kafka().bootstrapServers("SASL_TLS"));
    return variables;
  }

  private static File certificate(String name) {
    return SERVERS.directory().resolve(name).toFile();
  }

  @Test
  void redisWithTlsAndUsers() {
    try (RedisServer redis = SERVERS.redis("server")) {
      URI address = URI.create(redis.tlsUrl());
      mark(
          address.getHost(),
          address.getPort(),
          certificate("ca.crt"),
          certificate("relay.crt"),
          certificate("relay.key"),
          PASSWORD);
    }
  }

  private static void mark(
      String host, int port, File authority, File certificate, File key, String password) {
    SslOptions ssl =
        SslOptions.builder().trustManager(authority).keyManager(certificate, key, null).build();
    RedisURI uri =
        RedisURI.builder()
            .withHost(host)
            .withPort(port)
            .withSsl(true)
            .withVerifyPeer(SslVerifyMode.FULL)
            .withAuthentication("consumer", password)
            .build();
    RedisClient redisClient = RedisClient.create(uri);
    redisClient.setOptions(ClientOptions.builder().sslOptions(ssl).build());
    RedisIdempotencyStore store = RedisIdempotencyStore.builder(redisClient).build();
    try (redisClient;
        store) {
      await()
          .atMost(PATIENCE)
          .ignoreExceptions()
          .until(() -> store.begin("c", List.of("warm")) != null);
      assertThat(store.checkAndMarkProcessed("c", "1", Duration.ofDays(1))).isFalse();
      assertThat(store.checkAndMarkProcessed("c", "1", Duration.ofDays(1))).isTrue();
      assertThat(store.delete("c", "1")).isTrue();
      assertThatThrownBy(
              () ->
                  RedisIdempotencyStore.builder(redisClient)
                      .prefix("other")
                      .timeout(PATIENCE)
                      .build()
                      .checkAndMarkProcessed("c", "1", Duration.ofDays(1)))
          .hasMessageContaining("NOPERM")
          .hasMessageContaining("allow it in the ACL of the RedisURI's user");
    }
  }
}
