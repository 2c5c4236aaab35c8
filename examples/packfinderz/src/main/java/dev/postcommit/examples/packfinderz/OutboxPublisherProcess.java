package dev.postcommit.examples.packfinderz;

import dev.postcommit.examples.packfinderz.events.Events;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.server.OutboxPublisher;
import dev.postcommit.testkit.process.Processes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Objects;

/** Starts the outbox-publisher: the product's own process, with none of this example's classes. */
final class OutboxPublisherProcess {
  private static final String REGISTRY = "/packfinderz-events.json";

  private OutboxPublisherProcess() {}

  /** A process that is still to be started, and may be given more variables. */
  static Processes.Builder builder(Processes processes, Map<String, String> environment) {
    Processes.Builder builder =
        processes
            .java(OutboxPublisher.class)
            .without(OutboxPublisherProcess.class)
            // Quick to start rather than quick in the long run
            .jvmOptions("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx192m")
            // What a killed one leaves behind goes with the directory it runs in.
            .jvmOptions("-Djava.io.tmpdir=.");
    environment.forEach(builder::environment);
    return builder;
  }

  /**
   * The variables by which it finds its table and its topic.
   *
   * @param jdbcUrl the database
   * @param user the database's user
   * @param project the Pub/Sub project
   * @param emulatorHost where Pub/Sub is
   */
  static Map<String, String> environment(
      String jdbcUrl, String user, String project, String emulatorHost) {
    return Map.of(
        "POSTCOMMIT_LAYOUT",
        Tables.OUTBOX.name(),
        "POSTCOMMIT_DATABASE_URL",
        jdbcUrl,
        "POSTCOMMIT_DATABASE_USER",
        user,
        "POSTCOMMIT_BROKER",
        "pubsub",
        "POSTCOMMIT_PUBSUB_PROJECT",
        project,
        PubSubConnection.EMULATOR_HOST,
        emulatorHost,
        "POSTCOMMIT_REGISTRY_FILE",
        registryFile().toString(),
        "POSTCOMMIT_HTTP_PORT",
        "0",
        "PACKFINDERZ_PUBSUB_DOMAIN_TOPIC",
        Events.TOPIC);
  }

  /** The contracts of the event types in a file of this run, for the publisher to read. */
  static Path registryFile() {
    try (InputStream contracts = OutboxPublisherProcess.class.getResourceAsStream(REGISTRY)) {
      Path file = Files.createTempFile("packfinderz-events", ".json");
      file.toFile().deleteOnExit();
      Files.copy(
          Objects.requireNonNull(contracts, REGISTRY), file, StandardCopyOption.REPLACE_EXISTING);
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException("could not write " + REGISTRY + " to a file", e);
    }
  }
}
