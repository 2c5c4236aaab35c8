package dev.postcommit.server.cli.dlt;

import dev.postcommit.consumer.deadletter.DeadLetter;
import dev.postcommit.kafka.deadletter.KafkaDeadLetterRef;
import dev.postcommit.kafka.deadletter.KafkaDeadLetters;
import dev.postcommit.server.console.CliCommand;
import dev.postcommit.server.console.Console;
import dev.postcommit.server.relay.KafkaBroker;
import dev.postcommit.server.settings.BrokerSettings;
import dev.postcommit.server.settings.Setting;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** A command on a dead-letter topic of the Kafka that the settings speak of. */
abstract class DltTopicCommand extends CliCommand {

  @Option(
      names = "--topic",
      order = -3,
      required = true,
      paramLabel = "<topic>",
      description =
          "The dead-letter topic; .dlt is added to its name if that is missing. Required.")
  private String topic = "";

  DltTopicCommand(Console console) {
    super(console);
  }

  @Override
  public final List<Setting<?>> uses() {
    return BrokerSettings.KAFKA;
  }

  @Override
  public final Integer call() throws IOException {
    check();
    if (topic.isBlank()) {
      throw new ParameterException(spec().commandLine(), "--topic: name the dead-letter topic");
    }
    String name = topic.endsWith(DeadLetter.TOPIC_SUFFIX) ? topic : topic + DeadLetter.TOPIC_SUFFIX;
    try (KafkaDeadLetters letters = KafkaBroker.of(settings()).letters(name)) {
      return call(letters);
    }
  }

  /** Refuses what is wrong with the flags before anything else. */
  abstract void check();

  /** Does what the command is for. */
  abstract int call(KafkaDeadLetters letters) throws IOException;

  /** What a letter is called: the id of its event, or else its position. */
  static String id(KafkaDeadLetterRef ref) {
    String id = ref.eventId();
    return id == null ? ref.position() : id;
  }
}
