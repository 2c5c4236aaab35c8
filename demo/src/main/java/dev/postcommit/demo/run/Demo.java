package dev.postcommit.demo.run;

import dev.postcommit.demo.orders.Tally;
import dev.postcommit.demo.servers.Closing;
import dev.postcommit.demo.servers.DemoServers;
import dev.postcommit.server.terminal.Terminal;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.OutboxAdmin;
import dev.postcommit.testkit.ledger.Deliveries;
import dev.postcommit.testkit.ledger.Ledger;
import java.io.PrintStream;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Random;

/** Starts servers, writers, relays and a consumer, and checks the result. */
public final class Demo {

  /** After this time without arrivals, missing events count as lost. */
  private static final Duration PATIENCE = Duration.ofSeconds(45);

  private static final Duration TICK = Duration.ofMillis(100);

  private final DemoOptions options;
  private final Terminal terminal;
  private final PrintStream out;
  private final Ledger ledger = Ledger.create();
  private final Tally tally = new Tally();

  /** A demo that shows itself on {@code terminal}. */
  public Demo(DemoOptions options, Terminal terminal) {
    this.options = options;
    this.terminal = terminal;
    this.out = terminal.out();
  }

  /**
   * Runs the demo and prints the verdict.
   *
   * @throws InterruptedException if this thread is interrupted; after everything is cleaned up
   */
  public Verdict run() throws InterruptedException {
    DemoText.introduce(out, options, terminal.environment());
    long begin = System.nanoTime();
    try (Closing closing = new Closing()) {
      DemoServers servers = closing.add(DemoServers.start(options.broker(), options.layout()));
      out.printf(
          Locale.ROOT,
          "Postgres (port %d) and %s are up after %.1f s%n",
          servers.postgres().port(),
          servers.broker().name(),
          (System.nanoTime() - begin) / 1e9);
      Verdict verdict = work(servers);
      if (options.keep()) {
        DemoText.explainServers(out, servers);
      } else {
        DemoText.suggest(out, options);
      }
      out.println(verdict.line());
      if (options.keep()) {
        terminal.err().println("the servers are up until Ctrl-C");
        keepUp();
      }
      return verdict;
    } catch (SQLException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private Verdict work(DemoServers servers) throws InterruptedException {
    OutboxAdmin admin = OutboxAdmin.of(servers.postgres().dataSource(), options.layout());
    try (Closing closing = new Closing()) {
      Deliveries deliveries = servers.broker().deliveries(ledger);
      Workers workers = closing.add(new Workers(options, servers, ledger, tally, deliveries));
      RelayFleet relays = closing.add(new RelayFleet(servers, options.relays(), terminal.err()));
      Progress progress = closing.add(new Progress(terminal, tally, ledger, relays));
      Killer killer = new Killer(relays, progress::lag, new Random(options.seed()));
      while (!progress.isDone(admin, workers.areWritersDone())) {
        tick();
        progress.show();
        if (options.kill() && !workers.areWritersDone()) {
          killer.maybeKill();
        }
        workers.check();
        relays.check();
        if (progress.sinceLastArrival().compareTo(PATIENCE) > 0) {
          tally.wrong("nothing arrived for " + PATIENCE.toSeconds() + " s");
          break;
        }
      }
      relays.stop();
      deliveries.finish();
      workers.awaitConsumer();
      progress.showLast();
    }
    admin.deadIds(DeadFilter.all(), Integer.MAX_VALUE).forEach(ledger::dead);
    DemoText.sumUp(out, tally, options);
    return new Verdict(ledger.report(), tally.wrong());
  }

  private void tick() throws InterruptedException {
    if (terminal.termination().await(TICK)) {
      throw new InterruptedException("the process is to end");
    }
  }

  private void keepUp() {
    try {
      terminal.termination().await();
    } catch (InterruptedException e) {
      // This ends the wait.
    }
  }
}
