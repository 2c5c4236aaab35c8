package dev.postcommit.server.cli;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.server.logging.Logs;
import dev.postcommit.server.relay.RelayPlan;
import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.server.settings.Setting;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.table.Databases;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.server.terminal.CliCommand;
import dev.postcommit.server.terminal.ExitCode;
import dev.postcommit.server.terminal.Terminal;
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
      "Database and broker need not be there yet, nor the topic of a fixed route on Pub/Sub: the"
          + " relay says so and waits. Any number of relays"
          + " may run on one table, each event still arrives in the order of its key. On SIGTERM the"
          + " relay claims nothing more, waits up to drain-timeout for what is in flight, gives back"
          + " the rest and exits with 0. It also deletes delivered rows older than retention.",
      "",
      "A table that is there and does not fit the layout ends the relay at once, with a line for"
          + " each thing that does not fit."
    },
    footerHeading =
        "%nEvery setting has one name: the flag --lease is the variable POSTCOMMIT_LEASE"
            + " and the property%npostcommit.lease; --database-url is POSTCOMMIT_DATABASE_URL and"
            + " postcommit.database.url. A flag goes%nbefore the environment, the environment before the"
            + " file. An unknown name is refused.%nTimes are written 500ms, 30s, 5m, 2h, 30d or in ISO"
            + " (PT30S).%n%nExamples:%n",
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

  /** Added to the drain timeout for what follows it. */
  private static final Duration CLOSING = Duration.ofSeconds(15);

  @Option(
      names = "--sandbox",
      description =
          "Start a Postgres and a broker for this run where the settings name none, and say how to"
              + " try them; they and all that is in them are gone at the end. Only from the sources.")
  private boolean sandboxed;

  private final Sandbox sandbox;

  RelayCommand(Terminal terminal, Sandbox sandbox) {
    super(terminal);
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
      @Nullable String url = servers.environment().get(ServerSettings.DATABASE_URL.variable());
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
        .map(plan -> plan.settings().get(ServerSettings.DRAIN_TIMEOUT))
        .max(Comparator.naturalOrder())
        .orElse(Duration.ZERO)
        .plus(CLOSING);
  }
}
