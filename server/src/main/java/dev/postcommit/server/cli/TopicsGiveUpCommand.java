package dev.postcommit.server.cli;

import dev.postcommit.server.table.Databases;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.server.table.Texts;
import dev.postcommit.server.table.TopicJson;
import dev.postcommit.server.table.Topics;
import dev.postcommit.server.terminal.DecisionOptions;
import dev.postcommit.server.terminal.JsonOption;
import dev.postcommit.server.terminal.TableCommand;
import dev.postcommit.store.Decision;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code postcommit topics give-up}. */
@Command(
    name = "give-up",
    customSynopsis =
        "postcommit topics give-up <topic> --reason <text> [--operator <name>] [--json] [<settings>]",
    description = {
      "Gives up the events that wait for a topic that cannot be sent to.",
      "",
      "Events written until now are dead within seconds, unless the topic has become available by"
          + " then. The later events of their keys are delivered without them. New events for the topic"
          + " wait as before. 'postcommit dead' replays or discards the events given up."
    },
    footer = {
      "  postcommit topics give-up shipments --reason 'renamed to deliveries'",
      "  postcommit topics give-up shipments --reason 'never to be made' --operator ada --json",
      "",
      "Exit codes: 0 done, 1 no events wait for such a topic or the database failed, 2 wrong usage or"
          + " settings."
    })
final class TopicsGiveUpCommand extends TableCommand {

  @Parameters(paramLabel = "<topic>", description = "The topic, as 'postcommit topics' shows it.")
  private String topic = "";

  @Mixin private DecisionOptions options = new DecisionOptions();

  @Mixin private JsonOption json = new JsonOption();

  @Override
  public Integer call() {
    if (topic.isBlank()) {
      throw wrongUsage("name the topic, as 'postcommit topics' shows it");
    }
    Decision decision = options.decision(this, true);
    OutboxTable table = table();
    Topics.giveUp(Databases.admin(table), topic, decision, table.toString());
    return json.print(
        this,
        TopicJson.givenUp(table.layout(), topic, decision),
        List.of(
            "the events of %s that wait for topic %s are given up; they are dead within seconds"
                .formatted(table, Texts.printable(topic))));
  }
}
