package dev.postcommit.server.cli.dlt;

import dev.postcommit.consumer.deadletter.DeadLetterContent;
import dev.postcommit.kafka.deadletter.KafkaDeadLetter;
import dev.postcommit.kafka.deadletter.KafkaDeadLetterFilter;
import dev.postcommit.kafka.deadletter.KafkaDeadLetterRef;
import dev.postcommit.kafka.deadletter.KafkaDeadLetterRef.Replayed;
import dev.postcommit.kafka.deadletter.KafkaDeadLetters;
import dev.postcommit.server.table.Failure;
import dev.postcommit.server.table.JsonObject;
import dev.postcommit.server.terminal.Details;
import dev.postcommit.server.terminal.JsonOption;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code postcommit dlt show}. */
@Command(
    name = "show",
    customSynopsis = "postcommit dlt show <id> --topic <topic> [--json] [<settings>]",
    description = {
      "Shows one letter with its origin, the headers of the original message and its body.",
      "",
      "The body is shown as text if possible, else in base64. Replayed letters can be shown too."
    },
    footer = {
      "  postcommit dlt show 01931d5e-7c1b-7a52-9c41-5f0f2b8f6a11 --topic orders",
      "  postcommit dlt show 3:4711 --topic orders --json | jq -r .original",
      "",
      "Exit codes: 0 done, 1 no such letter or topic, several, or Kafka failed, 2 wrong usage or"
          + " settings."
    })
final class DltShowCommand extends DltTopicCommand {

  @Parameters(
      paramLabel = "<id>",
      description = "The id of an event, or the partition:offset of its letter.")
  private String id = "";

  @Mixin private JsonOption json = new JsonOption();

  @Override
  void check() {}

  @Override
  int call(KafkaDeadLetters topic) {
    List<KafkaDeadLetterRef> refs = topic.find(KafkaDeadLetterFilter.ids(Set.of(id)), true);
    if (refs.size() > 1) {
      throw new Failure(
          "there are %d letters of %s in %s; show one of %s"
              .formatted(
                  refs.size(),
                  id,
                  topic.topic(),
                  refs.stream()
                      .map(KafkaDeadLetterRef::position)
                      .collect(Collectors.joining(", "))));
    }
    KafkaDeadLetter letter =
        topic.read(refs).stream()
            .findFirst()
            .orElseThrow(() -> new Failure("no letter " + id + " in " + topic.topic()));
    return json.print(this, document(letter), lines(letter));
  }

  private static List<String> lines(KafkaDeadLetter letter) {
    DeadLetterContent content = letter.content();
    Details details =
        new Details()
            .line("id", content.eventId())
            .line("at", letter.ref().position())
            .line("state", state(letter.ref().replayed()))
            .line("type", content.eventType())
            .line("key", letter.key())
            .line("origin", origin(content))
            .line("consumer", content.consumerService())
            .line("failed", letter.failedAt())
            .line("attempts", content.attempts())
            .line("error", content.errorMessage())
            .headers(content.originalHeaders());
    return content.original() == null
        ? details.line("original", kept(content)).lines()
        : details.content("original", content.original()).lines();
  }

  private static String state(@Nullable Replayed replayed) {
    if (replayed == null) {
      return "open";
    }
    String reason = replayed.decision().reason();
    String said = reason == null ? "" : ": " + reason;
    return "replayed at " + replayed.at() + " by " + replayed.decision().operator() + said;
  }

  private static String origin(DeadLetterContent content) {
    StringBuilder origin = new StringBuilder(content.originalTopic());
    content.origin().forEach((name, value) -> origin.append(", ").append(name + " " + value));
    return origin.toString();
  }

  private static String kept(DeadLetterContent content) {
    return content.kept().name().toLowerCase(Locale.ROOT);
  }

  private static JsonObject document(KafkaDeadLetter letter) {
    DeadLetterContent content = letter.content();
    JsonObject document =
        DltJson.letter(letter)
            .set("headers", content.originalHeaders())
            .set("original_is", kept(content));
    return content.original() == null
        ? document
        : document.setContent("original", content.original());
  }
}
