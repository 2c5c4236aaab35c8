package dev.postcommit.server.demo;

import dev.postcommit.server.RelayProcess;
import dev.postcommit.testkit.ChildProcess;
import dev.postcommit.testkit.Processes;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The relays of a demo, each a process of its own. */
final class RelayFleet implements AutoCloseable {

  /** Short, so that the events of a killed relay do not wait for long. */
  private static final Duration LEASE = Duration.ofSeconds(6);

  private static final Duration DELIVERY_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
  private static final int TAIL_LINES = 15;

  private final Processes processes = Processes.create();
  private final List<ChildProcess> relays = new ArrayList<>();
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

  private ChildProcess launch() {
    return processes
        .java(RelayProcess.class)
        // Quick to start rather than quick in the long run. The temporary directory is the one they
        // run in, so that what a killed one leaves behind goes with it.
        .jvmOptions("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx192m")
        .jvmOptions("-Djava.io.tmpdir=.")
        .arguments("--database-url", servers.postgres().jdbcUrl())
        .arguments("--database-user", servers.postgres().username())
        .arguments("--kafka-bootstrap-servers", servers.kafka().bootstrapServers())
        .arguments("--lease", LEASE.toString(), "--batch-size", "100")
        .arguments("--kafka-config", "delivery.timeout.ms=" + DELIVERY_TIMEOUT.toMillis())
        .arguments("--kafka-config", "request.timeout.ms=" + DELIVERY_TIMEOUT.toMillis() / 2)
        .arguments("--kafka-config", "max.block.ms=500")
        .start();
  }

  /** Kills one relay at once and starts another in its place. */
  void killOne(Random random) {
    int victim = random.nextInt(relays.size());
    relays.get(victim).kill();
    kills++;
    relays.set(victim, launch());
  }

  int kills() {
    return kills;
  }

  int size() {
    return relays.size();
  }

  /** Throws with the end of its log if a relay ended though nobody asked it to. */
  void check() {
    for (ChildProcess relay : relays) {
      if (!relay.alive()) {
        throw failure("ended by itself", relay);
      }
    }
  }

  /** Asks all relays to stop, and waits until they have. */
  void stop() {
    relays.forEach(ChildProcess::terminate);
    for (ChildProcess relay : relays) {
      if (relay.awaitExit(STOP_TIMEOUT) != 0) {
        throw failure("did not stop as asked", relay);
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
