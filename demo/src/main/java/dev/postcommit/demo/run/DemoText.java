package dev.postcommit.demo.run;

import dev.postcommit.demo.orders.Tally;
import dev.postcommit.demo.servers.DemoServers;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.settings.BrokerSettings.BrokerName;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;

/** The output of the demo. */
final class DemoText {
  private DemoText() {}

  static void introduce(PrintStream out, DemoOptions options, Map<String, String> environment) {
    out.printf(
        Locale.ROOT,
        """
        This %s, and %d %s as %s.
        %d writers commit %,d events about orders within %d s; one transaction in ten rolls back, some
        events are enqueued twice, and a few are poisonous: no broker takes them.%s
        At the end each event is accounted for, and nothing is left behind. The seed is %d.

        """,
        servers(options, environment.getOrDefault(PubSubConnection.EMULATOR_HOST, "")),
        options.relays(),
        options.relays() == 1 ? "relay" : "relays",
        options.relays() == 1 ? "a process" : "processes",
        Workers.WRITERS,
        options.events(),
        options.writingTime().toSeconds(),
        options.kill() ? " Relays get killed." : "",
        options.seed());
  }

  private static String servers(DemoOptions options, String emulator) {
    if (options.broker() == BrokerName.KAFKA) {
      return "starts a real Postgres and a real Kafka in temporary directories";
    }
    return emulator.isBlank()
        ? "starts a real Postgres in a temporary directory, a Pub/Sub server in this process"
        : "uses the Pub/Sub server at %s (%s), starts a real Postgres"
            .formatted(emulator, PubSubConnection.EMULATOR_HOST);
  }

  static void sumUp(PrintStream out, Tally tally, DemoOptions options) {
    out.printf(
        Locale.ROOT,
        "%,d transactions rolled back, %,d events enqueued twice and written once, %,d poisonous%n",
        tally.rollbacks(),
        tally.repeated(),
        tally.poisonous());
  }

  static void suggest(PrintStream out, DemoOptions options) {
    out.println(
        options.kill()
            ? "Next: 'postcommit demo --keep' to look around in the servers, 'postcommit relay --help'"
                + " for your own; README.md"
            : "Next: 'postcommit demo --kill' to kill relays at work, 'postcommit relay --help' for"
                + " your own servers; README.md");
  }

  static void explainServers(PrintStream out, DemoServers servers) {
    String flags =
        "--database-url %s --database-user %s --layout %s"
            .formatted(
                servers.postgres().jdbcUrl(),
                servers.postgres().username(),
                servers.layout().name());
    out.printf(
        """
        The servers stay up; the relays have stopped. Try, in another terminal:
          ./postcommit status %1$s
          ./postcommit dead list %1$s
          %2$s %1$s
          psql postgresql://%3$s@127.0.0.1:%4$d/postgres
        """,
        flags,
        servers.broker().relayCommand(),
        servers.postgres().username(),
        servers.postgres().port());
  }
}
