package dev.postcommit.examples.polyshop.run;

import dev.postcommit.examples.polyshop.audit.Audit;
import dev.postcommit.examples.polyshop.audit.Plan;
import dev.postcommit.examples.polyshop.audit.Snapshot;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs the shop from its opening to the audit. */
public final class Shop {
  private static final int CUSTOMERS = 3;
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final Duration AUDIT_AGAIN = Duration.ofMillis(500);

  /** How long nothing may change before what is missing counts as lost. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Options options;
  private final PrintStream out;
  private final Path directory;
  private final long begin = System.nanoTime();

  /**
   * A shop that shows itself on {@code out}.
   *
   * @param directory that of the example, where services of other languages are
   */
  public Shop(Options options, PrintStream out, Path directory) {
    this.options = options;
    this.out = out;
    this.directory = directory;
  }

  /** Runs it; whether all was as it must be. */
  public boolean run() throws InterruptedException, SQLException {
    ShopText.introduce(out, options);
    try (Servers servers = Servers.start();
        Fleet fleet = new Fleet(servers, directory);
        Books books = new Books(servers, options.services())) {
      servers.prepare(options.services());
      say("Postgres (port %d) and Kafka are up", servers.postgres().port());
      options.services().forEach(fleet::start);
      for (Service service : options.services()) {
        fleet.awaitReady(service);
      }
      say("%d services are ready", options.services().size());
      Traffic traffic = new Traffic(new Customer(fleet));
      traffic.open();
      sell(traffic, fleet);
      return judge(traffic.plan(options), fleet, books);
    }
  }

  /** Places the orders in as many parts as there are services to kill, one in each part. */
  private void sell(Traffic traffic, Fleet fleet) throws InterruptedException {
    List<Service> victims = options.victims();
    int parts = Math.max(1, victims.size());
    for (int part = 0; part < parts; part++) {
      int from = options.orders() * part / parts;
      int to = options.orders() * (part + 1) / parts;
      ExecutorService customers = Executors.newFixedThreadPool(CUSTOMERS);
      try {
        List<Future<?>> visits = visit(customers, traffic, from, to);
        if (part < victims.size()) {
          await(traffic, (from + to) / 2, visits);
          kill(victims.get(part), traffic, fleet);
        }
        for (Future<?> visit : visits) {
          finish(visit);
        }
        if (part < victims.size()) {
          fleet.awaitReady(victims.get(part));
        }
      } finally {
        customers.shutdownNow();
      }
    }
    say("%d orders are placed", traffic.placed());
  }

  private static List<Future<?>> visit(
      ExecutorService customers, Traffic traffic, int from, int to) {
    AtomicInteger next = new AtomicInteger(from);
    List<Future<?>> visits = new ArrayList<>();
    for (int i = 0; i < CUSTOMERS; i++) {
      visits.add(
          customers.submit(
              () -> {
                for (int n = next.getAndIncrement(); n < to; n = next.getAndIncrement()) {
                  traffic.visit(n);
                }
                return null;
              }));
    }
    return visits;
  }

  private static void await(Traffic traffic, int placed, List<Future<?>> visits)
      throws InterruptedException {
    while (traffic.placed() < placed && !visits.stream().allMatch(Future::isDone)) {
      Thread.sleep(LOOK.toMillis());
    }
  }

  private void kill(Service victim, Traffic traffic, Fleet fleet) {
    fleet.killAndStart(victim);
    say(
        "%s was killed after %d orders, and is started again",
        victim.serviceName(), traffic.placed());
  }

  private static void finish(Future<?> visit) throws InterruptedException {
    try {
      visit.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a customer failed: " + e.getMessage(), e);
    }
  }

  private boolean judge(Plan plan, Fleet fleet, Books books)
      throws SQLException, InterruptedException {
    List<String> last = List.of();
    long changed = System.nanoTime();
    while (true) {
      Snapshot snapshot = books.snapshot();
      List<String> findings = Audit.findings(plan, snapshot);
      findings.addAll(TraceLogs.findings(plan, options, fleet));
      if (findings.isEmpty()) {
        say("all events are delivered and handled");
        fleet.stop();
        ShopText.showPath(out, plan, snapshot);
        ShopText.verified(out, plan, snapshot, options);
        return true;
      }
      if (!findings.equals(last)) {
        last = findings;
        changed = System.nanoTime();
      }
      if (System.nanoTime() - changed > PATIENCE.toNanos()) {
        ShopText.failed(out, findings);
        return false;
      }
      options.services().forEach(fleet::check);
      Thread.sleep(AUDIT_AGAIN.toMillis());
    }
  }

  private void say(String format, Object... values) {
    out.printf(
        Locale.ROOT,
        "%6.1f s  %s%n",
        (System.nanoTime() - begin) / 1e9,
        String.format(Locale.ROOT, format, values));
  }
}
