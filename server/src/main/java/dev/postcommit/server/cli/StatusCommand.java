package dev.postcommit.server.cli;

import dev.postcommit.PostcommitException;
import dev.postcommit.server.relay.Broker;
import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.table.DatabaseFailures;
import dev.postcommit.server.table.Databases;
import dev.postcommit.server.table.JsonObject;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.server.table.TableJson;
import dev.postcommit.server.table.TableStatus;
import dev.postcommit.server.table.Texts;
import dev.postcommit.server.terminal.ExitCode;
import dev.postcommit.server.terminal.JsonOption;
import dev.postcommit.server.terminal.LiveBlock;
import dev.postcommit.server.terminal.Options;
import dev.postcommit.server.terminal.TableCommand;
import dev.postcommit.settings.ConfiguredMessages;
import dev.postcommit.settings.Setting;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.support.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code postcommit status}. */
@Command(
    name = "status",
    customSynopsis = "postcommit status [--watch] [--json] [<settings>]",
    description = {
      "Shows the backlog of the outbox table, its relays and its broker.",
      "",
      "If the settings name a broker (kafka-bootstrap-servers or pubsub-project), it also shows"
          + " whether that is available and, with Pub/Sub, whether the topic of a fixed route exists."
          + " An unavailable broker is reported, but does not fail the command.",
      "",
      "--watch refreshes it in place on a terminal, and prints one line after another elsewhere,"
          + " with the change of the backlog. If the database becomes unreachable, it says so and"
          + " goes on."
    },
    footerHeading = "%nWhat it shows:%n",
    footer = {
      "  pending     events that are neither delivered nor dead",
      "  in flight   pending events that a relay is delivering now",
      "  delayed     pending events that are not due yet, by their own time or for a retry",
      "  diverted    events of a log that wait beside it: for a retry, behind one, or for their own time",
      "  dead        events the relay gave up on; see 'postcommit dead list'",
      "  oldest      how long the oldest event that is due has waited",
      "  rate        events per second that all relays delivered recently",
      "  paused      who paused the table and why, if it is; see 'postcommit pause'",
      "  leader      the relay that reads a log; the others stand by",
      "  relays      the relays of the table and their states; if the tables beside it are not up to",
      "              date ('postcommit migrate'), only those that are delivering now",
      "  topic       a topic that takes no messages, for how long and why; see 'postcommit topics'",
      "  broker      its address, and 'ok' or the problem; --watch checks it every 10 s",
      "",
      "Examples:",
      "  postcommit status --database-url jdbc:postgresql://localhost:5432/app",
      "  postcommit status --watch",
      "  postcommit status --json | jq .pending",
      "  postcommit status --broker pubsub --pubsub-project my-project --route fixed:orders",
      "",
      "Exit codes: 0 done, 1 the database failed, 2 wrong usage or settings."
    })
final class StatusCommand extends TableCommand {

  /** The longest problem that --watch shows. */
  private static final int CELL = 60;

  @Mixin private JsonOption json = new JsonOption();

  @Option(names = "--watch", description = "Refresh until Ctrl-C.")
  private boolean watch;

  @Option(
      names = "--interval",
      paramLabel = "<time>",
      defaultValue = "2s",
      description = "How often --watch refreshes. Default: 2s.")
  private String interval = "2s";

  @Override
  public List<Setting<?>> uses() {
    return ServerSettings.STATUS_SETTINGS;
  }

  @Override
  public Integer call() throws InterruptedException {
    Settings settings = settings();
    OutboxTable table = OutboxTable.of(settings);
    OutboxAdmin admin = Databases.admin(table);
    try (@Nullable BrokerCheck broker = broker(table, settings)) {
      if (watch) {
        watch(table, admin, broker, Options.duration(this, "--interval", interval));
      } else {
        show(table, admin, broker);
      }
    }
    return ExitCode.OK;
  }

  private @Nullable BrokerCheck broker(OutboxTable table, Settings settings) {
    return Broker.find(settings, terminal().environment())
        .map(
            broker ->
                new BrokerCheck(
                    broker, ConfiguredMessages.route(settings, table.layout()).topics()))
        .orElse(null);
  }

  private void show(OutboxTable table, OutboxAdmin admin, @Nullable BrokerCheck broker) {
    TableStatus standing = TableStatus.of(admin);
    if (broker != null) {
      broker.check();
    }
    List<String> lines =
        new ArrayList<>(lines(standing, null, broker == null ? null : broker.line()));
    lines.add(0, table + ", " + table.layout().name() + " layout");
    int unused = json.print(this, document(table, standing, broker), lines);
  }

  private void watch(
      OutboxTable table, OutboxAdmin admin, @Nullable BrokerCheck broker, Duration pause)
      throws InterruptedException {
    terminal().termination().arm(Duration.ofSeconds(1), () -> {});
    if (!json.isSet()) {
      out().println(table + ", every " + DurationText.show(pause) + "; Ctrl-C ends it");
    }
    if (broker != null) {
      broker.start();
    }
    LiveBlock block = new LiveBlock(out());
    @Nullable TableStatus before = null;
    do {
      try {
        TableStatus now = TableStatus.of(admin);
        showAgain(table, block, before, now, broker);
        before = now;
      } catch (PostcommitException e) {
        // What fails at the first look is a mistake of the user's; later it is an outage.
        if (before == null) {
          throw e;
        }
        showProblem(table, block, e);
      }
    } while (!terminal().termination().await(pause));
  }

  private void showAgain(
      OutboxTable table,
      LiveBlock block,
      @Nullable TableStatus before,
      TableStatus now,
      @Nullable BrokerCheck broker) {
    if (json.isSet()) {
      document(table, now, broker).print(out());
    } else if (terminal().interactive()) {
      block.show(lines(now, before, broker == null ? null : broker.state()));
    } else {
      String state = broker == null ? "" : "  broker " + Texts.cell(broker.state(), CELL);
      out().println(now.summary(before) + state);
    }
  }

  private void showProblem(OutboxTable table, LiveBlock block, PostcommitException e) {
    String problem =
        Texts.printable(DatabaseFailures.explain(e, table).orElse(String.valueOf(e.getMessage())));
    if (json.isSet()) {
      TableJson.names(table.layout()).set("problem", problem).print(out());
    } else if (terminal().interactive()) {
      block.show(List.of("  " + problem, "  looking again"));
    } else {
      out().println(problem + "; looking again");
    }
  }

  private static List<String> lines(
      TableStatus now, @Nullable TableStatus before, @Nullable String broker) {
    List<String> lines = new ArrayList<>(now.lines(before));
    if (broker != null) {
      lines.add("  broker     " + broker);
    }
    return lines;
  }

  private static JsonObject document(
      OutboxTable table, TableStatus standing, @Nullable BrokerCheck broker) {
    JsonObject document = standing.json(table.layout());
    return broker == null ? document : document.set("broker", broker.json());
  }
}
