package dev.postcommit.testkit;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

final class ProcessKafkaServer extends KafkaNode implements KafkaServer {

  private static @Nullable KafkaServer sharedServer;

  private ProcessKafkaServer(Guard guard, Map<String, String> settings, boolean shared) {
    super(
        "Kafka",
        guard,
        shared,
        Uuid.randomUuid().toString(),
        List.of("-Xms256m", "-Xmx512m"),
        (directory, port) -> properties(directory, port, settings));
  }

  private static Properties properties(Path directory, int port, Map<String, String> settings) {
    Properties properties = BrokerDefaults.properties(directory, port, Ports.free());
    properties.putAll(settings);
    return properties;
  }

  static synchronized KafkaServer shared() {
    if (sharedServer == null) {
      sharedServer = new BuilderImpl().start(true);
    }
    return sharedServer;
  }

  @Override
  public String bootstrapServers() {
    return address();
  }

  @Override
  public void createTopic(String name, int partitions, Map<String, String> configs) {
    KafkaTopics.create(bootstrapServers(), name, partitions, 1, configs);
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
