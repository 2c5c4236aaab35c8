package dev.postcommit.server.cli.dlt;

import dev.postcommit.consumer.deadletter.DeadLetterContent;
import dev.postcommit.kafka.deadletter.KafkaDeadLetter;
import dev.postcommit.kafka.deadletter.KafkaDeadLetterFilter;
import dev.postcommit.kafka.deadletter.KafkaDeadLetterRef;
import dev.postcommit.kafka.deadletter.KafkaDeadLetterRef.Replayed;
import dev.postcommit.kafka.deadletter.KafkaDeadLetters;
import dev.postcommit.server.table.Failure;
import dev.postcommit.server.table.Json;
import dev.postcommit.server.terminal.Details;
import dev.postcommit.server.terminal.ExitCode;
import dev.postcommit.server.terminal.Terminal;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
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
    footerHeading = "%nExamples:%n",
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

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  DltShowCommand(Terminal terminal) {
    super(terminal);
  }

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
    if (json) {
      printJson(letter);
    } else {
      print(letter);
    }
    return ExitCode.OK;
  }

  private void print(KafkaDeadLetter letter) {
    PrintStream out = terminal().out();
    DeadLetterContent content = letter.content();
    Details.line(out, "id", content.eventId());
    Details.line(out, "at", letter.ref().position());
    Details.line(out, "state", state(letter.ref().replayed()));
    Details.line(out, "type", content.eventType());
    Details.line(out, "key", letter.key());
    Details.line(out, "origin", origin(content));
    Details.line(out, "consumer", content.consumerService());
    Details.line(out, "failed", letter.failedAt());
    Details.line(out, "attempts", content.attempts());
    Details.line(out, "error", content.errorMessage());
    Details.headers(out, content.originalHeaders());
    if (content.original() == null) {
      Details.line(out, "original", kept(content));
    } else {
      Details.content(out, "original", content.original());
    }
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

  private void printJson(KafkaDeadLetter letter) {
    DeadLetterContent content = letter.content();
    Json.print(
        terminal().out(),
        fields -> {
          DltJson.write(fields, letter);
          Json.headers(fields, content.originalHeaders());
          fields.writeStringField("original_is", kept(content));
          if (content.original() != null) {
            Json.content(fields, "original", content.original());
          }
        });
  }
}
