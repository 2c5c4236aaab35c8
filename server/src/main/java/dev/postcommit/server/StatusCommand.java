package dev.postcommit.server;

import dev.postcommit.server.settings.Durations;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.store.OutboxAdmin.Status;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code postcommit status}. */
@Command(
    name = "status",
    customSynopsis = "postcommit status [--watch] [--json] [<settings>]",
    description = "Shows how the outbox table stands.",
    footerHeading = "%nWhat it shows:%n",
    footer = {
      "  pending     events that are neither delivered nor dead",
      "  in flight   those of them that a relay is delivering now",
      "  delayed     those of them that are not due yet, be it by wish or for a retry",
      "  dead        events the relay gave up on; see 'postcommit dead list'",
      "  oldest      how long the oldest event that is due has waited",
      "  relays      relays that are delivering something now; an idle relay is not counted",
      "",
      "Examples:",
      "  postcommit status --database-url jdbc:postgresql://localhost:5432/app",
      "  postcommit status --watch",
      "  postcommit status --json | jq .pending",
      "",
      "Exit codes: 0 done, 1 the database failed, 2 wrong usage or settings."
    })
final class StatusCommand extends TableCommand {

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
  public Integer call() throws InterruptedException {
    OutboxTable table = table();
    OutboxAdmin admin = Databases.admin(table);
    if (!watch) {
      Status status = admin.status();
      if (json) {
        printJson(table, status);
      } else {
        print(table, status);
      }
      return ExitCode.OK;
    }
    watch(table, admin, Options.duration(this, "--interval", interval));
    return ExitCode.OK;
  }

  private void watch(OutboxTable table, OutboxAdmin admin, Duration pause)
      throws InterruptedException {
    console().termination().arm(Duration.ofSeconds(1), () -> {});
    if (!json) {
      console().out().println(table + ", every " + Durations.show(pause) + "; Ctrl-C ends it");
    }
    @Nullable Status before = null;
    ProgressLine line = new ProgressLine(console());
    do {
      Status now = admin.status();
      if (json) {
        printJson(table, now);
      } else {
        line.show(summary(before, now, pause));
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

  private void print(OutboxTable table, Status status) {
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
  }

  private void printJson(OutboxTable table, Status status) {
    Json.print(
        console().out(),
        fields -> {
          fields.writeStringField("table", table.layout().table().toString());
          fields.writeStringField("layout", table.layout().name());
          fields.writeNumberField("pending", status.pending());
          fields.writeNumberField("in_flight", status.inFlight());
          fields.writeNumberField("delayed", status.delayed());
          fields.writeNumberField("dead", status.dead());
          fields.writeStringField(
              "oldest_pending",
              status.oldestPending() == null ? null : status.oldestPending().toString());
          fields.writeNumberField("oldest_age_seconds", status.oldestAge().toMillis() / 1000.0);
          fields.writeNumberField("relays", status.relays());
        });
  }
}
