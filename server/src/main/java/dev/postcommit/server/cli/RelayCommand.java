package dev.postcommit.server.cli;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.server.logging.Logs;
import dev.postcommit.server.relay.RelayPlan;
import dev.postcommit.server.settings.DatabaseSettings;
import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.table.Databases;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.server.terminal.CliCommand;
import dev.postcommit.server.terminal.ExitCode;
import dev.postcommit.settings.RelaySettings;
import dev.postcommit.settings.Setting;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code postcommit relay}. */
@Command(
    name = "relay",
    customSynopsis = "postcommit relay [--sandbox] [<settings>]",
    description = {
      "Delivers committed events from the outbox table to Kafka or Google Pub/Sub, until SIGTERM or"
          + " Ctrl-C.",
      "",
      "If the database, the broker or, on Pub/Sub, the topic of a fixed route is missing, the relay"
          + " logs it and waits. Any number of relays may run on one table; events still arrive in"
          + " order per key. On SIGTERM, the relay stops claiming, waits up to drain-timeout for events"
          + " in flight, releases the rest and exits with 0. It also deletes delivered rows older than"
          + " the retention period.",
      "",
      "If the table exists but does not fit the layout, the relay exits at once and lists each"
          + " difference."
    },
    footerHeading =
        "%nEvery setting has one name in three forms: the option --database-url is the variable%n"
            + "POSTCOMMIT_DATABASE_URL and the property postcommit.database-url. Options take precedence%n"
            + "over the environment, the environment over the file. Unknown names are rejected.%n"
            + "Durations are written 500ms, 30s, 5m, 2h, 30d or in ISO form (PT30S).%n%nExamples:%n",
    footer = {
      "  postcommit relay --database-url jdbc:postgresql://localhost:5432/app \\",
      "      --kafka-bootstrap-servers localhost:9092",
      "  postcommit relay --broker pubsub --pubsub-project my-project --route fixed:orders",
      "  postcommit relay --config /etc/postcommit.properties --batch-size 1000",
      "  postcommit relay --kafka-config compression.type=zstd --kafka-config linger.ms=5",
      "  postcommit relay --layout polyshop --source order-service --registry-file events.json",
      "",
      "Exit codes: 0 stopped as asked, 1 failed, 2 wrong usage or settings."
    })
final class RelayCommand extends CliCommand {
  private static final Logger log = LoggerFactory.getLogger(RelayCommand.class);

  /** The time for closing everything after the drain timeout. */
  private static final Duration CLOSING = Duration.ofSeconds(15);

  @Option(
      names = "--sandbox",
      description =
          "Start a temporary Postgres and broker where the settings name none, and explain how to try"
              + " them. They and their data are deleted at the end. Only from the sources.")
  private boolean sandboxed;

  private final Sandbox sandbox;

  RelayCommand(Sandbox sandbox) {
    this.sandbox = sandbox;
  }

  @Override
  public List<Setting<?>> uses() {
    return ServerSettings.ALL;
  }

  @Override
  public Integer call() throws InterruptedException {
    Logs.gather();
    if (!sandboxed) {
      return relay();
    }
    try (Sandbox.Servers servers = sandbox.start(settings(), terminal())) {
      seeAlso(servers.environment());
      @Nullable String url = servers.environment().get(DatabaseSettings.DATABASE_URL.variable());
      for (RelayPlan plan : RelayPlan.of(settings(), terminal().environment())) {
        OutboxTable table = plan.table();
        if (table.url().equals(url)) {
          OutboxMigration.migrate(Databases.simple(table), table.layout());
        }
        servers.introduce(table.layout());
      }
      return relay();
    }
  }

  private int relay() throws InterruptedException {
    Settings settings = settings();
    Logs.configure(settings);
    List<RelayPlan> plans = RelayPlan.of(settings, terminal().environment());
    terminal().termination().arm(patience(plans), () -> log.info("stopping"));
    try (RelayHost host = RelayHost.open(settings, plans, terminal().environment())) {
      host.start();
      terminal().termination().await();
    }
    return ExitCode.OK;
  }

  private static Duration patience(List<RelayPlan> plans) {
    return plans.stream()
        .map(plan -> plan.settings().get(RelaySettings.DRAIN_TIMEOUT))
        .max(Comparator.naturalOrder())
        .orElse(Duration.ZERO)
        .plus(CLOSING);
  }
}
