package dev.postcommit.server.cli;

import dev.postcommit.server.table.Databases;
import dev.postcommit.server.table.Json;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.server.table.TableStatus;
import dev.postcommit.server.table.Texts;
import dev.postcommit.server.table.TimeText;
import dev.postcommit.server.table.TopicJson;
import dev.postcommit.server.table.Topics;
import dev.postcommit.server.terminal.ExitCode;
import dev.postcommit.server.terminal.TableCommand;
import dev.postcommit.server.terminal.Terminal;
import dev.postcommit.store.OutboxAdmin.TopicOutage;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code postcommit topics}. */
@Command(
    name = "topics",
    customSynopsis = {
      "postcommit topics [--json] [<settings>]",
      "postcommit topics give-up <topic> --reason <text> [<settings>]"
    },
    description = {
      "Lists the topics that cannot be sent to, because they are missing or forbidden.",
      "",
      "Events for such a topic wait, together with the later events of their keys, and no attempts"
          + " are counted. All other events are delivered. A relay probes the topic every few seconds"
          + " with one of the events, and delivers the others when that succeeds. Create the topic, or"
          + " let the relay's user write to it; if that will never happen, give up its events."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  postcommit topics",
      "  postcommit topics --json | jq -r '.topics[].topic'",
      "  postcommit topics give-up shipments --reason 'renamed to deliveries'",
      "",
      "Exit codes: 0 done, 1 the database failed, 2 wrong usage or settings."
    })
final class TopicsCommand extends TableCommand {

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  TopicsCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  public Integer call() {
    OutboxTable table = table();
    List<TopicOutage> topics = Topics.list(Databases.admin(table), table.layout());
    if (json) {
      Json.print(terminal().out(), TopicJson.list(table.layout(), topics));
    } else if (topics.isEmpty()) {
      terminal().out().println("no events of " + table + " wait for a topic");
    } else {
      print(topics);
    }
    return ExitCode.OK;
  }

  private void print(List<TopicOutage> topics) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("TOPIC", "SINCE", "FOR", "GIVEN UP", "REASON"));
    for (TopicOutage topic : topics) {
      rows.add(
          List.of(
              Texts.printable(topic.topic()),
              topic.since().truncatedTo(ChronoUnit.SECONDS).toString(),
              TimeText.age(topic.lasting()),
              topic.givenUp() == null ? "-" : TableStatus.by(topic.givenUp()),
              Texts.printable(topic.reason())));
    }
    Texts.table(rows).forEach(terminal().out()::println);
  }
}
