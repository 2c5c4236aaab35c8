package dev.postcommit.server.cli.dlt;

import dev.postcommit.kafka.deadletter.KafkaDeadLetter;
import dev.postcommit.kafka.deadletter.KafkaDeadLetterFilter;
import dev.postcommit.kafka.deadletter.KafkaDeadLetterRef;
import dev.postcommit.kafka.deadletter.KafkaDeadLetters;
import dev.postcommit.server.table.Json;
import dev.postcommit.server.table.Texts;
import dev.postcommit.server.terminal.Details;
import dev.postcommit.server.terminal.ExitCode;
import dev.postcommit.server.terminal.Options;
import dev.postcommit.server.terminal.Terminal;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code postcommit dlt list}. */
@Command(
    name = "list",
    customSynopsis =
        "postcommit dlt list --topic <topic> [<filter>] [--all] [--limit <n>] [--json] [<settings>]",
    description = {
      "Lists the oldest open letters and why each event was given up.",
      "",
      "A letter that was written twice because its consumer crashed is listed once. AT is its"
          + " partition and offset, which identify it as well as its id."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  postcommit dlt list --topic orders --limit 100",
      "  postcommit dlt list --topic orders --consumer inventory-service --from 2026-01-31",
      "  postcommit dlt list --topic orders --all --json | jq -r '.letters[] | [.id, .state]'",
      "",
      "Exit codes: 0 done, 1 no such topic or Kafka failed, 2 wrong usage or settings."
    })
final class DltListCommand extends DltTopicCommand {

  @Mixin private DltFilterOptions options = new DltFilterOptions();

  @Option(names = "--all", description = "Also list letters that were replayed.")
  private boolean all;

  @Option(
      names = "--limit",
      paramLabel = "<n>",
      description = "The most letters to list. Default: ${DEFAULT-VALUE}.")
  private int limit = 50;

  @Option(names = "--json", description = "Print one JSON document, without the original events.")
  private boolean json;

  DltListCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void check() {
    Options.limit(this, limit);
    options.filter(this);
  }

  @Override
  int call(KafkaDeadLetters topic) {
    KafkaDeadLetterFilter filter = options.filter(this);
    List<KafkaDeadLetterRef> refs = topic.find(filter, all);
    List<KafkaDeadLetter> letters = topic.read(refs.subList(0, Math.min(limit, refs.size())));
    if (json) {
      printJson(letters, refs.size());
    } else if (letters.isEmpty()) {
      String such = filter.equals(KafkaDeadLetterFilter.all()) ? "" : "such ";
      terminal().out().println("no " + such + (all ? "" : "open ") + "letters in " + topic.topic());
    } else {
      print(letters, refs.size());
    }
    return ExitCode.OK;
  }

  private void print(List<KafkaDeadLetter> letters, long total) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(row("STATE", "ID", "AT", "TYPE", "KEY", "CONSUMER", "FAILED", "ERROR"));
    for (KafkaDeadLetter letter : letters) {
      rows.add(
          row(
              letter.ref().replayed() == null ? "open" : "replayed",
              cell(letter.content().eventId()),
              letter.ref().position(),
              cell(letter.content().eventType()),
              cell(letter.key()),
              cell(letter.content().consumerService()),
              letter.failedAt().truncatedTo(ChronoUnit.SECONDS).toString(),
              cell(letter.content().errorMessage())));
    }
    Details.list(terminal().out(), rows, total);
  }

  /** The state is only shown where it can differ. */
  private List<String> row(String... cells) {
    List<String> row = List.of(cells);
    return all ? row : row.subList(1, row.size());
  }

  private static String cell(@Nullable String text) {
    return Texts.cell(text, Details.LONGEST_CELL);
  }

  private void printJson(List<KafkaDeadLetter> letters, long total) {
    Json.print(
        terminal().out(),
        fields -> {
          fields.writeNumberField("total", total);
          fields.writeArrayFieldStart("letters");
          for (KafkaDeadLetter letter : letters) {
            fields.writeStartObject();
            DltJson.write(fields, letter);
            fields.writeEndObject();
          }
          fields.writeEndArray();
        });
  }
}
