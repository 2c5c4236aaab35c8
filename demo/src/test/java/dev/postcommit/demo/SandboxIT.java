package dev.postcommit.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.relay.Message;
import dev.postcommit.testkit.kafka.KafkaReader;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.io.File;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("R48: relay --sandbox")
class SandboxIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Processes processes = Processes.create();

  @TempDir private Path directory;

  @AfterEach
  void close() {
    processes.close();
  }

  private ChildProcess relay(String... flags) {
    ChildProcess relay =
        processes
            .java(Main.class)
            .jvmOptions("-Xmx192m")
            .arguments("relay", "--sandbox", "--http-port", "0")
            .arguments(flags)
            .start();
    await().atMost(PATIENCE).until(() -> !relay.alive() || relay.output().contains(" starts on "));
    assertThat(relay.alive()).as(relay.output()).isTrue();
    return relay;
  }

  private static String find(ChildProcess relay, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(relay.output());
    assertThat(matcher.find()).as("%s in %s", pattern, relay.output()).isTrue();
    return matcher.group(1);
  }

  private static String variable(ChildProcess relay, String name) {
    return find(relay, "(?m)^  " + name + "=(.+)$");
  }

  private static void awaitNobodyAt(String address) {
    String[] parts = address.replaceFirst(".*//", "").replaceFirst("/.*", "").split(":");
    await().atMost(PATIENCE).until(() -> !answers(parts[0], Integer.parseInt(parts[1])));
  }

  private static boolean answers(String host, int port) {
    try (Socket socket = new Socket(host, port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Runs a command as one would in a terminal; what it has to keep goes to the directory. */
  private void paste(String command) throws IOException, InterruptedException {
    ProcessBuilder shell = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true);
    String java = Path.of(System.getProperty("java.home"), "bin").toString();
    shell.environment().merge("PATH", java, (path, first) -> first + File.pathSeparator + path);
    shell.environment().put("JAVA_TOOL_OPTIONS", "-Djava.util.prefs.userRoot=" + directory);
    Process process = shell.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
  }

  private static Connection connect(ChildProcess relay) throws SQLException {
    return DriverManager.getConnection(
        variable(relay, "POSTCOMMIT_DATABASE_URL"),
        variable(relay, "POSTCOMMIT_DATABASE_USER"),
        "");
  }

  private static void execute(ChildProcess relay, String sql) throws SQLException {
    try (Connection connection = connect(relay);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String statusOfTheEvent(ChildProcess relay) throws SQLException {
    try (Connection connection = connect(relay);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT status FROM postcommit_outbox")) {
      return row.next() ? row.getString(1) : "none";
    }
  }

  @Test
  void withoutSettingsItBringsPostgresAndKafkaAndCommandsThatWork()
      throws IOException, InterruptedException, SQLException {
    ChildProcess relay = relay();
    assertThat(relay.output())
        .startsWith("sandbox: database-url is not set; starting a Postgres for this run")
        .contains("sandbox: kafka-bootstrap-servers is not set; starting a Kafka for this run")
        .containsPattern("(?m)^  psql postgresql://127.*INSERT INTO postcommit_outbox ")
        .containsPattern("(?m)^  POSTCOMMIT_DATABASE_URL=.* ./postcommit status$");
    String kafka = variable(relay, "POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS");

    paste(find(relay, "(?m)^  (.* jshell .*)$"));
    await().atMost(PATIENCE).until(() -> statusOfTheEvent(relay).equals("delivered"));
    Message message = KafkaReader.read(kafka, "orders", 1).get(0);
    assertThat(message.key()).isEqualTo("42");
    assertThat(new String(message.body(), StandardCharsets.UTF_8)).isEqualTo("{\"total\" : 100}");

    String database = variable(relay, "POSTCOMMIT_DATABASE_URL");
    relay.terminate();
    assertThat(relay.awaitExit(PATIENCE)).as(relay.output()).isZero();
    awaitNobodyAt(database);
    awaitNobodyAt(kafka);
  }

  @Test
  void itBringsPubSubIfThatIsTheBrokerAndNothingOutlivesIt() throws SQLException {
    ChildProcess relay = relay("--broker", "pubsub");
    assertThat(relay.output())
        .contains("sandbox: pubsub-project is not set; starting a Pub/Sub server for this run")
        .doesNotContain("Kafka");
    assertThat(variable(relay, "PUBSUB_EMULATOR_HOST")).startsWith("127.0.0.1:");

    execute(relay, find(relay, "(?m)^  psql .* -c \"(.*)\"$"));
    await().atMost(PATIENCE).until(() -> statusOfTheEvent(relay).equals("delivered"));

    String database = variable(relay, "POSTCOMMIT_DATABASE_URL");
    relay.kill();
    awaitNobodyAt(database);
  }

  @Test
  void aDatabaseThatIsNamedIsUsedAsItIs() throws SQLException {
    try (PostgresDatabase database = PostgresServer.shared().createDatabase()) {
      ChildProcess relay =
          relay(
              "--broker=pubsub",
              "--database-url=" + database.jdbcUrl(),
              "--database-user=" + database.username());
      assertThat(relay.output())
          .startsWith("sandbox: pubsub-project is not set")
          .doesNotContain("starting a Postgres", "INSERT")
          .contains("see how it stands, with the settings of your database:")
          .contains("there is no table postcommit_outbox at " + database.jdbcUrl() + " yet");
      try (Connection connection = database.dataSource().getConnection();
          ResultSet tables =
              connection.getMetaData().getTables(null, "public", "%", new String[] {"TABLE"})) {
        assertThat(tables.next()).as("a table was made").isFalse();
      }

      relay.terminate();
      assertThat(relay.awaitExit(PATIENCE)).as(relay.output()).isZero();
    }
  }
}
