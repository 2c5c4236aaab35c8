package dev.postcommit.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

final class ProcessKafkaServer extends ProcessServer implements KafkaServer {

  private static final Duration START_TIMEOUT = Duration.ofSeconds(90);

  private static @Nullable KafkaServer sharedServer;

  private final List<String> command;

  private ProcessKafkaServer(Guard guard, Map<String, String> settings, boolean shared) {
    super("Kafka", guard, shared);
    this.command = command(guard.directory(), settings);
  }

  static synchronized KafkaServer shared() {
    if (sharedServer == null) {
      sharedServer = new BuilderImpl().start(true);
    }
    return sharedServer;
  }

  @Override
  public String bootstrapServers() {
    return Ports.HOST + ":" + port();
  }

  @Override
  public void createTopic(String name, int partitions, Map<String, String> configs) {
    KafkaTopics.create(bootstrapServers(), name, partitions, configs);
  }

  private List<String> command(Path directory, Map<String, String> settings) {
    Path configuration = directory.resolve("server.properties");
    Properties properties = BrokerDefaults.properties(directory, port(), Ports.free());
    properties.putAll(settings);
    try (Writer writer = Files.newBufferedWriter(configuration)) {
      properties.store(writer, null);
      Files.createDirectory(directory.resolve("tmp"));
    } catch (IOException e) {
      throw new UncheckedIOException("Could not write " + configuration, e);
    }
    return ClassPath.javaCommand(
        directory.resolve("java.args"),
        ClassPath.current(),
        List.of(
            "-Xms256m",
            "-Xmx512m",
            "-XX:-UsePerfData",
            "-Djava.awt.headless=true",
            "-Djava.io.tmpdir=" + directory.resolve("tmp"),
            "-Dlogback.configurationFile=dev/postcommit/testkit/broker-logback.xml"),
        KafkaBrokerMain.class.getName(),
        List.of(configuration.toString()));
  }

  @Override
  GuardedProcess run(Guard in) {
    Path log = in.directory().resolve("kafka.log");
    return in.run("kafka", Signal.KILL, command, Map.of(), log);
  }

  @Override
  boolean serves() {
    if (!Ports.listening(port())) {
      return false;
    }
    KafkaTopics.awaitBroker(bootstrapServers(), START_TIMEOUT);
    return true;
  }

  static final class BuilderImpl implements Builder {

    private final Map<String, String> settings = new LinkedHashMap<>();

    @Override
    public Builder setting(String name, String value) {
      settings.put(name, value);
      return this;
    }

    @Override
    public Builder autoCreateTopics(boolean autoCreateTopics) {
      return setting("auto.create.topics.enable", Boolean.toString(autoCreateTopics));
    }

    @Override
    public KafkaServer start() {
      return start(false);
    }

    private KafkaServer start(boolean shared) {
      Guard guard = Guard.open("kafka");
      try {
        ProcessKafkaServer server = new ProcessKafkaServer(guard, Map.copyOf(settings), shared);
        server.launch();
        return server;
      } catch (RuntimeException | Error e) {
        guard.close();
        throw e;
      }
    }
  }
}
