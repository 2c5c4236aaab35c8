package dev.postcommit.server.cli;

import dev.postcommit.server.table.Databases;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.server.table.TableStatus;
import dev.postcommit.server.table.Texts;
import dev.postcommit.server.table.TimeText;
import dev.postcommit.server.table.TopicJson;
import dev.postcommit.server.table.Topics;
import dev.postcommit.server.terminal.Details;
import dev.postcommit.server.terminal.JsonOption;
import dev.postcommit.server.terminal.TableCommand;
import dev.postcommit.store.OutboxAdmin.TopicOutage;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
    subcommands = TopicsGiveUpCommand.class,
    footer = {
      "  postcommit topics",
      "  postcommit topics --json | jq -r '.topics[].topic'",
      "  postcommit topics give-up shipments --reason 'renamed to deliveries'",
      "",
      "Exit codes: 0 done, 1 the database failed, 2 wrong usage or settings."
    })
final class TopicsCommand extends TableCommand {
  private static final List<String> HEADING =
      List.of("TOPIC", "SINCE", "FOR", "GIVEN UP", "REASON");

  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    OutboxTable table = table();
    List<TopicOutage> topics = Topics.list(Databases.admin(table), table.layout());
    return json.print(
        this,
        TopicJson.list(table.layout(), topics),
        topics.isEmpty()
            ? List.of("no events of " + table + " wait for a topic")
            : Texts.table(HEADING, topics, TopicsCommand::row));
  }

  private static List<String> row(TopicOutage topic) {
    return List.of(
        Texts.printable(topic.topic()),
        Details.cell(topic.since()),
        TimeText.age(topic.lasting()),
        topic.givenUp() == null ? "-" : TableStatus.by(topic.givenUp()),
        Texts.printable(topic.reason()));
  }
}
