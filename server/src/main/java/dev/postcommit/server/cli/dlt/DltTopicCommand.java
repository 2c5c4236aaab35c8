package dev.postcommit.server.cli.dlt;

import dev.postcommit.consumer.deadletter.DeadLetter;
import dev.postcommit.kafka.deadletter.KafkaDeadLetterRef;
import dev.postcommit.kafka.deadletter.KafkaDeadLetters;
import dev.postcommit.server.relay.KafkaBroker;
import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.server.terminal.CliCommand;
import dev.postcommit.settings.Setting;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Option;

/** A command on a dead-letter topic of the configured Kafka. */
abstract class DltTopicCommand extends CliCommand {

  @Option(
      names = "--topic",
      order = -3,
      required = true,
      paramLabel = "<topic>",
      description =
          "The dead-letter topic; .dlt is added to its name unless it is there. Required.")
  private String topic = "";

  @Override
  public final List<Setting<?>> uses() {
    return ServerSettings.KAFKA_SETTINGS;
  }

  @Override
  public final Integer call() throws IOException {
    check();
    if (topic.isBlank()) {
      throw wrongUsage("--topic: name the dead-letter topic");
    }
    String name = topic.endsWith(DeadLetter.TOPIC_SUFFIX) ? topic : topic + DeadLetter.TOPIC_SUFFIX;
    try (KafkaDeadLetters letters = KafkaBroker.of(settings()).letters(name)) {
      return call(letters);
    }
  }

  /** Checks the options before anything else happens. */
  abstract void check();

  /** Runs the command. */
  abstract int call(KafkaDeadLetters letters) throws IOException;

  /** The name of a letter: the id of its event, or else its position. */
  static String id(KafkaDeadLetterRef ref) {
    String id = ref.eventId();
    return id == null ? ref.position() : id;
  }
}
