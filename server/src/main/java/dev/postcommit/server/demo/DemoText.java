package dev.postcommit.server.demo;

import java.io.PrintStream;
import java.util.Locale;

/** What the demo says about itself. */
final class DemoText {
  private DemoText() {}

  static void introduce(PrintStream out, DemoOptions options) {
    out.printf(
        Locale.ROOT,
        """
        This starts a real Postgres and a real Kafka in temporary directories, and %d %s as %s.
        %d writers commit %,d events about orders within %d s; one transaction in ten rolls back, some
        events are enqueued twice, and a few are poisonous: the broker refuses them.%s
        At the end each event is accounted for, and nothing is left behind. The seed is %d.

        """,
        options.relays(),
        options.relays() == 1 ? "relay" : "relays",
        options.relays() == 1 ? "a process" : "processes",
        Workers.WRITERS,
        options.events(),
        options.writingTime().toSeconds(),
        options.kill() ? " Relays get killed." : "",
        options.seed());
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
        "--database-url %s --database-user %s"
            .formatted(servers.postgres().jdbcUrl(), servers.postgres().username());
    out.printf(
        """
        The servers stay up; the relays have stopped. Try, in another terminal:
          ./postcommit status %1$s
          ./postcommit dead list %1$s
          ./postcommit relay %1$s --kafka-bootstrap-servers %2$s
          psql postgresql://%3$s@127.0.0.1:%4$d/postgres
        """,
        flags,
        servers.kafka().bootstrapServers(),
        servers.postgres().username(),
        servers.postgres().port());
  }
}
