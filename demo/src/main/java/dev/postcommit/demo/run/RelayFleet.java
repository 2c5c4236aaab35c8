package dev.postcommit.demo.run;

import dev.postcommit.demo.servers.DemoServers;
import dev.postcommit.server.RelayProcess;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The relays of a demo, each in a process of its own. */
final class RelayFleet implements AutoCloseable {

  private static final Duration STARTING = Duration.ofMillis(2500);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);

  /**
   * The exit code of a JVM that gets SIGTERM while it starts, such as the replacement of a killed
   * relay.
   */
  private static final int ENDED_BEFORE_IT_RAN = 128 + 15;

  private static final int TAIL_LINES = 15;

  private record Relay(ChildProcess process, long startedAt) {}

  private final Processes processes = Processes.create();
  private final List<Relay> relays = new ArrayList<>();
  private final DemoServers servers;
  private final PrintStream err;
  private int kills;

  /** Starts {@code count} relays; if one fails, the end of its log goes to {@code err}. */
  RelayFleet(DemoServers servers, int count, PrintStream err) {
    this.servers = servers;
    this.err = err;
    for (int i = 0; i < count; i++) {
      relays.add(launch());
    }
  }

  private Relay launch() {
    Processes.Builder relay =
        processes
            .java(RelayProcess.class)
            // faster to start, slower in the long run
            .jvmOptions("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx192m")
            // so that files of a killed relay are deleted with its directory
            .jvmOptions("-Djava.io.tmpdir=.")
            .arguments("--database-url", servers.postgres().jdbcUrl())
            .arguments("--database-user", servers.postgres().username())
            .arguments("--layout", servers.layout().name())
            .arguments("--batch-size", "100");
    servers.broker().connect(relay);
    return new Relay(relay.start(), System.nanoTime());
  }

  /** Kills a relay that had time to start, and starts another; returns whether there was one. */
  boolean killOne(Random random) {
    long now = System.nanoTime();
    List<Relay> grown =
        relays.stream().filter(relay -> now - relay.startedAt() > STARTING.toNanos()).toList();
    if (grown.isEmpty()) {
      return false;
    }
    Relay victim = grown.get(random.nextInt(grown.size()));
    victim.process().kill();
    kills++;
    relays.set(relays.indexOf(victim), launch());
    return true;
  }

  int kills() {
    return kills;
  }

  int size() {
    return relays.size();
  }

  /** Throws, with the end of its log, if a relay ended unexpectedly. */
  void check() {
    for (Relay relay : relays) {
      if (!relay.process().alive()) {
        throw failure("ended by itself", relay.process());
      }
    }
  }

  /** Asks all relays to stop, and waits until they have. */
  void stop() {
    relays.forEach(relay -> relay.process().terminate());
    for (Relay relay : relays) {
      int exitCode = relay.process().awaitExit(STOP_TIMEOUT);
      if (exitCode != 0 && exitCode != ENDED_BEFORE_IT_RAN) {
        throw failure("did not stop as asked", relay.process());
      }
    }
  }

  private IllegalStateException failure(String what, ChildProcess relay) {
    List<String> lines = relay.output().lines().toList();
    lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()).forEach(err::println);
    return new IllegalStateException(
        "a relay %s (exit code %d); the end of its log is above"
            .formatted(what, relay.awaitExit(STOP_TIMEOUT)));
  }

  @Override
  public void close() {
    processes.close();
  }
}
