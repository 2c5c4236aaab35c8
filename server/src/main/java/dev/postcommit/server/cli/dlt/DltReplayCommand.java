package dev.postcommit.server.cli.dlt;

import dev.postcommit.kafka.deadletter.KafkaDeadLetterFilter;
import dev.postcommit.kafka.deadletter.KafkaDeadLetterRef;
import dev.postcommit.kafka.deadletter.KafkaDeadLetters;
import dev.postcommit.kafka.deadletter.KafkaReplay;
import dev.postcommit.server.table.Failure;
import dev.postcommit.server.table.JsonObject;
import dev.postcommit.server.table.Texts;
import dev.postcommit.server.terminal.ChangeOptions;
import dev.postcommit.server.terminal.ChangeOptions.Words;
import dev.postcommit.server.terminal.ExitCode;
import dev.postcommit.store.Decision;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code postcommit dlt replay}. */
@Command(
    name = "replay",
    customSynopsis =
        "postcommit dlt replay <id>...|<filter>|--all --topic <topic> [--allow-topic <topic>]..."
            + " [--reason <text>] [--dry-run] [--yes] [--json] [<settings>]",
    description = {
      "Sends the original messages of open letters to their topic again, byte for byte.",
      "",
      "All consumers of that topic receive them; a consumer that has handled an event before"
          + " recognises it by its id. The dead-letter topic records who replayed what. If one of the"
          + " ids is not that of an open letter, nothing is done.",
      "",
      "Each letter names its original topic. If that is not the topic that the dead-letter topic"
          + " belongs to, the letter is not replayed unless --allow-topic names its topic."
    },
    footer = {
      "  postcommit dlt replay 01931d5e-7c1b-7a52-9c41-5f0f2b8f6a11 --topic orders",
      "  postcommit dlt replay --topic orders --error 'no stock' --from 2026-01-31 --dry-run",
      "  postcommit dlt replay --topic orders --all --yes --reason 'the warehouse is back'",
      "",
      "Exit codes: 0 done, 1 no such letter or topic, not confirmed, a letter that cannot be"
          + " replayed, or Kafka failed, 2 wrong usage or settings."
    })
final class DltReplayCommand extends DltTopicCommand {
  private static final String NOUN = "dead letter";

  @Mixin private DltFilterOptions options = new DltFilterOptions();

  @Option(
      names = "--allow-topic",
      paramLabel = "<topic>",
      description = "Also replay letters of this topic. Can be repeated.")
  private List<String> allowed = List.of();

  @Mixin private ChangeOptions change = new ChangeOptions();

  @Override
  void check() {
    boolean filtered = !options.filter(this).equals(KafkaDeadLetterFilter.all());
    change.checkChoice(this, filtered, NOUN);
    change.decision(this, false);
  }

  @Override
  int call(KafkaDeadLetters topic) throws IOException {
    Decision decision = change.decision(this, false);
    List<KafkaDeadLetterRef> chosen = topic.find(filter(), false);
    checkOpen(chosen, topic.topic());
    Words words = new Words("replay", "replayed", NOUN, "topic", topic.topic(), topic.topic());
    if (!change.confirmed(this, words, chosen.size())) {
      return ExitCode.FAILED;
    }
    KafkaReplay result =
        topic.replay(change.dryRun() ? List.of() : chosen, decision, new HashSet<>(allowed));
    change.report(
        this,
        words,
        chosen.size(),
        chosen.stream().map(DltTopicCommand::id).toList(),
        result.replayed().size(),
        new JsonObject().set("failed", failed(result)));
    result.failed().forEach((ref, reason) -> complain(ref, reason));
    return result.failed().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }

  private KafkaDeadLetterFilter filter() {
    KafkaDeadLetterFilter filter = options.filter(this);
    return change.ids().isEmpty() ? filter : filter.withIds(new HashSet<>(change.ids()));
  }

  private void checkOpen(List<KafkaDeadLetterRef> chosen, String topic) {
    Set<String> open = new HashSet<>();
    chosen.forEach(ref -> open.addAll(List.of(id(ref), ref.position())));
    for (String id : change.ids()) {
      if (!open.contains(id)) {
        throw new Failure("no open letter " + id + " in " + topic + "; nothing was replayed");
      }
    }
  }

  private void complain(KafkaDeadLetterRef ref, String reason) {
    terminal()
        .err()
        .println(
            "letter %s at %s was not replayed: %s"
                .formatted(Texts.printable(id(ref)), ref.position(), Texts.printable(reason)));
  }

  private static List<JsonObject> failed(KafkaReplay result) {
    return result.failed().entrySet().stream()
        .map(failed -> DltJson.name(failed.getKey()).set("reason", failed.getValue()))
        .toList();
  }
}
