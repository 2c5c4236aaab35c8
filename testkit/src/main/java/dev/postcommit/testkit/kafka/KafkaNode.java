package dev.postcommit.testkit.kafka;

import dev.postcommit.testkit.process.ClassPath;
import dev.postcommit.testkit.process.Guard;
import dev.postcommit.testkit.process.GuardedProcess;
import dev.postcommit.testkit.process.Ports;
import dev.postcommit.testkit.process.ProcessServer;
import dev.postcommit.testkit.process.Signal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** One process of Kafka: a broker, a controller or both. */
abstract class KafkaNode extends ProcessServer {

  static final Duration START_TIMEOUT = Duration.ofSeconds(90);

  private final List<String> command;

  /**
   * Creates a node that is not running yet.
   *
   * @param name its name in logs and errors
   * @param clusterId the cluster that it belongs to
   * @param heap the options for its memory
   * @param settings creates its settings from its directory and its port
   */
  KafkaNode(
      String name,
      Guard guard,
      boolean shared,
      String clusterId,
      List<String> heap,
      NodeSettings settings) {
    super(name, guard, shared);
    this.command = command(guard.directory(), clusterId, heap, settings);
  }

  /** The settings of a node. */
  @FunctionalInterface
  interface NodeSettings {
    Properties of(Path directory, int port);
  }

  /** The address of its port. */
  final String address() {
    return Ports.HOST + ":" + port();
  }

  private List<String> command(
      Path directory, String clusterId, List<String> heap, NodeSettings settings) {
    Path configuration = directory.resolve("server.properties");
    Properties properties = settings.of(directory, port());
    try (Writer writer = Files.newBufferedWriter(configuration)) {
      properties.store(writer, null);
      Files.createDirectory(directory.resolve("tmp"));
    } catch (IOException e) {
      throw new UncheckedIOException("Could not write " + configuration, e);
    }
    List<String> options = new ArrayList<>(heap);
    options.addAll(
        List.of(
            "-XX:-UsePerfData",
            "-Djava.awt.headless=true",
            "-Djava.io.tmpdir=" + directory.resolve("tmp"),
            "-Dlogback.configurationFile=dev/postcommit/testkit/kafka/broker-logback.xml"));
    return ClassPath.javaCommand(
        directory.resolve("java.args"),
        ClassPath.current(),
        options,
        KafkaBrokerMain.class.getName(),
        List.of(configuration.toString(), clusterId));
  }

  @Override
  public final GuardedProcess run(Guard in) {
    Path log = in.directory().resolve("kafka.log");
    return in.run("kafka", Signal.KILL, command, Map.of(), log);
  }
}
