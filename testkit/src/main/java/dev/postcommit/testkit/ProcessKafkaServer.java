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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class ProcessKafkaServer implements KafkaServer {

  private static final Logger log = LoggerFactory.getLogger(ProcessKafkaServer.class);

  private static final Duration START_TIMEOUT = Duration.ofSeconds(90);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);

  private static @Nullable KafkaServer sharedServer;

  private final Guard guard;
  private final int port = Ports.free();
  private final List<String> command;
  private final boolean shared;

  private GuardedProcess broker;
  private boolean closed;

  private ProcessKafkaServer(Guard guard, Map<String, String> settings, boolean shared) {
    this.guard = guard;
    this.shared = shared;
    this.command = command(guard.directory(), settings);
    this.broker = launch();
  }

  static synchronized KafkaServer shared() {
    if (sharedServer == null) {
      sharedServer = new BuilderImpl().start(true);
    }
    return sharedServer;
  }

  @Override
  public String bootstrapServers() {
    return Ports.HOST + ":" + port;
  }

  @Override
  public void createTopic(String name, int partitions, Map<String, String> configs) {
    KafkaTopics.create(bootstrapServers(), name, partitions, configs);
  }

  @Override
  public synchronized void stop() {
    broker.end(Signal.TERM, STOP_TIMEOUT);
    log.info("Kafka on port {} stopped", port);
  }

  @Override
  public synchronized void kill() {
    broker.kill();
    log.info("Kafka on port {} killed", port);
  }

  @Override
  public synchronized void restart() {
    if (closed) {
      throw new IllegalStateException("Kafka on port " + port + " is closed");
    }
    broker.end(Signal.TERM, STOP_TIMEOUT);
    broker = launch();
  }

  @Override
  public synchronized void freeze() {
    broker.signal(Signal.STOP);
  }

  @Override
  public synchronized void thaw() {
    broker.signal(Signal.CONT);
  }

  @Override
  public synchronized void close() {
    if (!closed && !shared) {
      closed = true;
      // Its data goes too, so there is nothing to shut down cleanly for.
      broker.kill();
      guard.close();
      log.info("Kafka on port {} closed", port);
    }
  }

  private List<String> command(Path directory, Map<String, String> settings) {
    Path configuration = directory.resolve("server.properties");
    Properties properties = BrokerDefaults.properties(directory, port, Ports.free());
    properties.putAll(settings);
    try (Writer writer = Files.newBufferedWriter(configuration)) {
      properties.store(writer, null);
      Files.createDirectory(directory.resolve("tmp"));
    } catch (IOException e) {
      throw new UncheckedIOException("Could not write " + configuration, e);
    }
    return ClassPath.javaCommand(
        directory.resolve("java.args"),
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

  private GuardedProcess launch() {
    long begin = System.nanoTime();
    GuardedProcess process =
        guard.run("kafka", Signal.KILL, command, Map.of(), guard.directory().resolve("kafka.log"));
    while (!Ports.listening(port)) {
      boolean ended = process.awaitExit(Duration.ofMillis(50));
      if (ended || System.nanoTime() - begin > START_TIMEOUT.toNanos()) {
        String tail = process.outputTail();
        process.kill();
        throw new IllegalStateException("Kafka did not start on port " + port + ":\n" + tail);
      }
    }
    KafkaTopics.awaitBroker(bootstrapServers(), START_TIMEOUT);
    log.info("Kafka serves port {} after {} ms", port, (System.nanoTime() - begin) / 1_000_000);
    return process;
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
        return new ProcessKafkaServer(guard, Map.copyOf(settings), shared);
      } catch (RuntimeException | Error e) {
        guard.close();
        throw e;
      }
    }
  }
}
