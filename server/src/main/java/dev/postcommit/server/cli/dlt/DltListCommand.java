package dev.postcommit.server.cli.dlt;

import dev.postcommit.kafka.deadletter.KafkaDeadLetter;
import dev.postcommit.kafka.deadletter.KafkaDeadLetterFilter;
import dev.postcommit.kafka.deadletter.KafkaDeadLetterRef;
import dev.postcommit.kafka.deadletter.KafkaDeadLetters;
import dev.postcommit.server.table.JsonObject;
import dev.postcommit.server.terminal.Details;
import dev.postcommit.server.terminal.JsonOption;
import dev.postcommit.server.terminal.LimitOption;
import java.util.List;
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
          + " partition and offset, which identify it as well as its id. The JSON has no original"
          + " events."
    },
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

  @Mixin private LimitOption limit = new LimitOption();

  @Mixin private JsonOption json = new JsonOption();

  @Override
  void check() {
    int unused = limit.of(this);
    options.filter(this);
  }

  @Override
  int call(KafkaDeadLetters topic) {
    KafkaDeadLetterFilter filter = options.filter(this);
    List<KafkaDeadLetterRef> refs = topic.find(filter, all);
    int shown = Math.min(limit.of(this), refs.size());
    List<KafkaDeadLetter> letters = topic.read(refs.subList(0, shown));
    String such = filter.equals(KafkaDeadLetterFilter.all()) ? "" : "such ";
    return json.print(
        this,
        new JsonObject()
            .set("total", refs.size())
            .set("letters", letters.stream().map(DltJson::letter).toList()),
        letters.isEmpty()
            ? List.of("no " + such + (all ? "" : "open ") + "letters in " + topic.topic())
            : Details.list(
                row("STATE", "ID", "AT", "TYPE", "KEY", "CONSUMER", "FAILED", "ERROR"),
                letters,
                this::row,
                refs.size()));
  }

  private List<String> row(KafkaDeadLetter letter) {
    return row(
        letter.ref().replayed() == null ? "open" : "replayed",
        Details.cell(letter.content().eventId()),
        letter.ref().position(),
        Details.cell(letter.content().eventType()),
        Details.cell(letter.key()),
        Details.cell(letter.content().consumerService()),
        Details.cell(letter.failedAt()),
        Details.cell(letter.content().errorMessage()));
  }

  /** The state is only shown where it can differ. */
  private List<String> row(String... cells) {
    List<String> row = List.of(cells);
    return all ? row : row.subList(1, row.size());
  }
}
