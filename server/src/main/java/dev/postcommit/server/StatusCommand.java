package dev.postcommit.server;

import dev.postcommit.server.settings.Durations;
import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.server.settings.Setting;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.Status;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code postcommit status}. */
@Command(
    name = "status",
    customSynopsis = "postcommit status [--watch] [--json] [<settings>]",
    description = {
      "Shows how the outbox table stands.",
      "",
      "If the settings say where a broker is (kafka-bootstrap-servers or pubsub-project), it also"
          + " shows whether that can be used, and with Pub/Sub whether the topic of a fixed route is"
          + " there. A broker that cannot be used is told of, and is no failure of the command."
    },
    footerHeading = "%nWhat it shows:%n",
    footer = {
      "  pending     events that are neither delivered nor dead",
      "  in flight   those of them that a relay is delivering now",
      "  delayed     those of them that are not due yet, be it by wish or for a retry",
      "  dead        events the relay gave up on; see 'postcommit dead list'",
      "  oldest      how long the oldest event that is due has waited",
      "  relays      relays that are delivering something now; an idle relay is not counted",
      "  broker      where it is, and 'ok' or what is wrong; --watch asks it every 10 s",
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

  /** What --watch shows of a problem at most, lest the line is too long for a terminal. */
  private static final int CELL = 60;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Option(names = "--watch", description = "Show it again and again until Ctrl-C.")
  private boolean watch;

  @Option(
      names = "--interval",
      paramLabel = "<time>",
      defaultValue = "2s",
      description = "How often --watch looks. Default: 2s.")
  private String interval = "2s";

  StatusCommand(Console console) {
    super(console);
  }

  @Override
  List<Setting<?>> uses() {
    return ServerSettings.STATUS_SETTINGS;
  }

  @Override
  public Integer call() throws InterruptedException {
    Settings settings = settings();
    OutboxTable table = OutboxTable.of(settings);
    OutboxAdmin admin = Databases.admin(table);
    try (@Nullable BrokerLook broker = broker(table, settings)) {
      if (watch) {
        watch(table, admin, broker, Options.duration(this, "--interval", interval));
      } else {
        show(table, admin, broker);
      }
    }
    return ExitCode.OK;
  }

  private @Nullable BrokerLook broker(OutboxTable table, Settings settings) {
    return Broker.find(settings, console().environment())
        .map(broker -> new BrokerLook(broker, Messages.route(table.layout(), settings).topics()))
        .orElse(null);
  }

  private void show(OutboxTable table, OutboxAdmin admin, @Nullable BrokerLook broker) {
    Status status = admin.status();
    if (broker != null) {
      broker.look();
    }
    if (json) {
      printJson(table, status, broker);
    } else {
      print(table, status, broker);
    }
  }

  private void watch(
      OutboxTable table, OutboxAdmin admin, @Nullable BrokerLook broker, Duration pause)
      throws InterruptedException {
    console().termination().arm(Duration.ofSeconds(1), () -> {});
    if (!json) {
      console().out().println(table + ", every " + Durations.show(pause) + "; Ctrl-C ends it");
    }
    if (broker != null) {
      broker.keepLooking();
    }
    @Nullable Status before = null;
    ProgressLine line = new ProgressLine(console());
    do {
      Status now = admin.status();
      if (json) {
        printJson(table, now, broker);
      } else {
        line.show(
            summary(before, now, pause)
                + (broker == null ? "" : "  broker " + Texts.cell(broker.state(), CELL)));
      }
      before = now;
    } while (!console().termination().await(pause));
    line.end();
  }

  private static String summary(@Nullable Status before, Status now, Duration pause) {
    String rate = "";
    if (before != null) {
      double seconds = pause.toMillis() / 1000.0;
      double perSecond = (now.pending() - before.pending()) / seconds;
      rate = String.format(Locale.ROOT, " (%+,.0f/s)", perSecond == 0 ? 0.0 : perSecond);
    }
    return String.format(
        Locale.ROOT,
        "pending %,d%s  in flight %,d  delayed %,d  dead %,d  oldest %s  relays %d",
        now.pending(),
        rate,
        now.inFlight(),
        now.delayed(),
        now.dead(),
        now.oldestPending() == null ? "-" : Durations.round(now.oldestAge()),
        now.relays());
  }

  private void print(OutboxTable table, Status status, @Nullable BrokerLook broker) {
    String oldest =
        status.oldestPending() == null
            ? "-"
            : Durations.round(status.oldestAge()) + " (since " + status.oldestPending() + ")";
    console()
        .out()
        .printf(
            Locale.ROOT,
            """
            %s, %s layout
              pending    %,d
              in flight  %,d
              delayed    %,d
              dead       %,d
              oldest     %s
              relays     %,d
            """,
            table,
            table.layout().name(),
            status.pending(),
            status.inFlight(),
            status.delayed(),
            status.dead(),
            oldest,
            status.relays());
    if (broker != null) {
      console().out().println("  broker     " + broker.line());
    }
  }

  private void printJson(OutboxTable table, Status status, @Nullable BrokerLook broker) {
    Json.print(
        console().out(),
        fields -> {
          TableJson.status(table.layout(), status).write(fields);
          if (broker != null) {
            broker.write(fields);
          }
        });
  }
}
