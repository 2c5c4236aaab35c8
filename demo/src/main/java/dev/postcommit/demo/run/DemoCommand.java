package dev.postcommit.demo.run;

import dev.postcommit.layout.Layout;
import dev.postcommit.server.logging.Logs;
import dev.postcommit.server.table.Failure;
import dev.postcommit.server.terminal.CliCommand;
import dev.postcommit.server.terminal.ExitCode;
import dev.postcommit.server.terminal.Options;
import dev.postcommit.server.terminal.Termination;
import dev.postcommit.settings.BrokerSettings;
import dev.postcommit.settings.BrokerSettings.BrokerName;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code postcommit demo}. */
@Command(
    name = "demo",
    customSynopsis =
        "postcommit demo [--broker <name>] [--layout <name>] [--events <n>] [--relays <n>] [--kill] [--keep] [--seed <n>]",
    description = {
      "Shows Postcommit at work, and proves at the end that it kept its promise.",
      "",
      "Starts a real Postgres and a real Kafka in temporary directories on free ports; with --broker"
          + " pubsub, a Pub/Sub server in its own process in place of Kafka, or it uses the one that"
          + " PUBSUB_EMULATOR_HOST names. Four writers"
          + " place orders: each transaction changes rows of the table orders and writes events about"
          + " them. One transaction in ten rolls back, some events are enqueued twice under one dedupe"
          + " key, and a few in a thousand are poisonous: no broker takes them. Relays run as"
          + " processes of their own and deliver; a consumer takes down all that arrives. Nothing is"
          + " left behind."
    },
    footerHeading = "%nThe last line:%n",
    footer = {
      "  verified: <n> committed, <n> delivered, 0 lost, 0 phantom, 0 out of order, <d> duplicates,"
          + " <p> dead (expected <p>)",
      "",
      "  committed      events of committed transactions, without the poisonous ones",
      "  delivered      those of them that arrived, each counted once",
      "  lost           those of them that did not arrive",
      "  phantom        events that arrived though their transaction rolled back, or that were"
          + " enqueued a",
      "                 second time under one dedupe key",
      "  out of order   events that first arrived after a later one of the same order",
      "  duplicates     second arrivals; delivery is at least once, so a killed relay may cause them",
      "  dead           events the relay gave up on; expected are exactly the poisonous ones",
      "",
      "If this does not hold, the line begins with FAILED and names the first events.",
      "",
      "Examples:",
      "  postcommit demo",
      "  postcommit demo --kill --relays 3",
      "  postcommit demo --events 50000 --keep",
      "  postcommit demo --broker pubsub --kill",
      "  postcommit demo --layout log --kill",
      "",
      "Exit codes: 0 verified, 1 failed, 2 wrong usage."
    })
public final class DemoCommand extends CliCommand {
  private static final Duration CLEANING_UP = Duration.ofSeconds(30);

  @Option(
      names = "--broker",
      paramLabel = "<name>",
      description = "Where events go: kafka or pubsub. Default: kafka.")
  private String broker = "kafka";

  @Option(
      names = "--layout",
      paramLabel = "<name>",
      description = "The shape of the outbox table: native or log. Default: native.")
  private String layout = "native";

  @Option(
      names = "--events",
      paramLabel = "<n>",
      description = "How many events are committed. Default: ${DEFAULT-VALUE}.")
  private int events = 5000;

  @Option(
      names = "--relays",
      paramLabel = "<n>",
      description = "How many relays run side by side. Default: ${DEFAULT-VALUE}.")
  private int relays = 2;

  @Option(
      names = "--kill",
      description = "Kill relays with SIGKILL at random moments, and start new ones.")
  private boolean kill;

  @Option(
      names = "--keep",
      description = "Leave the servers up at the end, say how to connect, and wait for Ctrl-C.")
  private boolean keep;

  @Option(
      names = "--seed",
      paramLabel = "<n>",
      description = "Makes the same choices as an earlier run with this seed.")
  private @Nullable Long seed;

  @Override
  public String firstStep() {
    return "  postcommit demo            see it work; needs no server and leaves nothing behind";
  }

  @Override
  public Integer call() {
    BrokerName chosenBroker = Options.as(this, BrokerSettings.BROKER, broker);
    Layout chosenLayout = layout();
    within("--events", events, 1, 10_000_000);
    within("--relays", relays, 1, 16);
    long chosenSeed = seed == null ? ThreadLocalRandom.current().nextInt(1, 1_000_000) : seed;
    if (chosenBroker == BrokerName.PUBSUB) {
      Logs.quietGrpc();
    }
    Termination termination = terminal().termination();
    Thread demo = Thread.currentThread();
    termination.arm(CLEANING_UP, demo::interrupt);
    try {
      Verdict verdict =
          new Demo(
                  new DemoOptions(
                      chosenBroker, chosenLayout, events, relays, kill, keep, chosenSeed),
                  terminal())
              .run();
      return verdict.holds() ? ExitCode.OK : ExitCode.FAILED;
    } catch (InterruptedException | RuntimeException e) {
      if (termination.isRequested()) {
        terminal().err().println("interrupted; all is cleaned up");
        return ExitCode.INTERRUPTED;
      }
      throw new Failure("the demo could not be run: " + e.getMessage(), e);
    }
  }

  private Layout layout() {
    return switch (layout) {
      case "native" -> Layout.nativeTable();
      case "log" -> Layout.log();
      default -> throw wrongUsage("--layout: '" + layout + "' is not native or log");
    };
  }

  private void within(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw wrongUsage(
          String.format(Locale.ROOT, "%s: '%d' is not from %d to %d", option, value, least, most));
    }
  }
}
