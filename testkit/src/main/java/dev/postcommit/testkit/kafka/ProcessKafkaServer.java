package dev.postcommit.testkit.kafka;

import dev.postcommit.testkit.process.Guard;
import dev.postcommit.testkit.process.Ports;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

final class ProcessKafkaServer extends KafkaNode implements KafkaServer {

  private static @Nullable KafkaServer sharedServer;

  private final Map<String, ExtraListener> listeners;

  private ProcessKafkaServer(
      Guard guard,
      Map<String, String> settings,
      Map<String, ExtraListener> listeners,
      boolean shared) {
    super(
        "Kafka",
        guard,
        shared,
        Uuid.randomUuid().toString(),
        List.of("-Xms256m", "-Xmx512m"),
        (directory, port) -> properties(directory, port, settings, listeners));
    this.listeners = listeners;
  }

  private static Properties properties(
      Path directory,
      int port,
      Map<String, String> settings,
      Map<String, ExtraListener> listeners) {
    Properties properties = BrokerDefaults.properties(directory, port, Ports.free());
    listeners.values().forEach(listener -> listener.addTo(properties));
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
  public String bootstrapServers(String listener) {
    ExtraListener found = listeners.get(listener);
    if (found == null) {
      throw new IllegalArgumentException(
          "no listener of %s: %s".formatted(listeners.keySet(), listener));
    }
    return found.address();
  }

  @Override
  public void addUser(String name, String password) {
    KafkaTopics.addUser(bootstrapServers(), name, password);
  }

  @Override
  public void createTopic(String name, int partitions, Map<String, String> configs) {
    KafkaTopics.create(bootstrapServers(), name, partitions, 1, configs);
  }

  @Override
  protected boolean serves() {
    if (!Ports.listening(port())) {
      return false;
    }
    KafkaTopics.awaitBroker(bootstrapServers(), START_TIMEOUT);
    return true;
  }

  static final class BuilderImpl implements Builder {

    private final Map<String, String> settings = new LinkedHashMap<>();
    private final Map<String, ExtraListener> listeners = new LinkedHashMap<>();

    @Override
    public Builder setting(String name, String value) {
      settings.put(name, value);
      return this;
    }

    @Override
    public Builder listener(String name, String protocol, Map<String, String> own) {
      listeners.put(name, new ExtraListener(name, protocol, Ports.free(), own));
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
        ProcessKafkaServer server =
            new ProcessKafkaServer(
                guard, Map.copyOf(settings), new LinkedHashMap<>(listeners), shared);
        server.launch();
        return server;
      } catch (RuntimeException | Error e) {
        guard.close();
        throw e;
      }
    }
  }
}
