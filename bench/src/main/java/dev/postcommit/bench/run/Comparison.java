package dev.postcommit.bench.run;

import dev.postcommit.bench.measure.ContenderProcess;
import dev.postcommit.bench.measure.Entrant;
import dev.postcommit.bench.measure.Field;
import dev.postcommit.bench.measure.Progress;
import dev.postcommit.bench.measure.Servers;
import dev.postcommit.bench.measure.Sizes;
import dev.postcommit.bench.report.About;
import dev.postcommit.bench.report.Failure;
import dev.postcommit.bench.report.Page;
import dev.postcommit.bench.report.Results;
import dev.postcommit.bench.scenario.Scenario;
import dev.postcommit.bench.scenario.Scenarios;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One run of the benchmark: chosen scenarios, chosen contenders, one Postgres, one Kafka. */
public final class Comparison {
  private final Path home;
  private final Path out;
  private final List<String> scenarios;
  private final List<Entrant> entrants;
  private final Sizes sizes;
  private final Supplier<Servers> start;

  /**
   * The options of a run.
   *
   * @param home the source tree
   * @param out the directory of page and results
   * @param scenarios the names of scenarios
   * @param contenders the names of contenders
   * @param quick whether to finish within minutes
   * @param rounds how often to repeat each scenario, or null for the default
   */
  public Comparison(
      Path home,
      Path out,
      List<String> scenarios,
      List<String> contenders,
      boolean quick,
      Optional<Integer> rounds) {
    this(home, out, scenarios, contenders, sizes(quick, rounds), Servers::start);
  }

  private static Sizes sizes(boolean quick, Optional<Integer> rounds) {
    Sizes sizes = quick ? Sizes.QUICK : Sizes.FULL;
    return sizes.withRounds(rounds.orElse(sizes.rounds()));
  }

  Comparison(
      Path home,
      Path out,
      List<String> scenarios,
      List<String> contenders,
      Sizes sizes,
      Supplier<Servers> start) {
    this.home = home;
    this.out = out;
    this.scenarios = scenarios;
    this.entrants =
        Entrant.ALL.stream().filter(entrant -> contenders.contains(entrant.id())).toList();
    this.sizes = sizes;
    this.start = start;
  }

  /** Returns the names of the scenarios of a run by default. */
  public static List<String> scenarios() {
    return Scenarios.IDS;
  }

  /** Returns the names of scenarios that run only on demand, since they take long. */
  public static List<String> longScenarios() {
    return Scenarios.LONG;
  }

  /** Returns the names of all contenders. */
  public static List<String> contenders() {
    return Entrant.ALL.stream().map(Entrant::id).toList();
  }

  /** Returns the contenders of a quick run: of our layouts only native and log. */
  public static List<String> quickContenders() {
    return Entrant.ALL.stream().filter(entrant -> !entrant.isMinor()).map(Entrant::id).toList();
  }

  /**
   * Runs it, one scenario after the other. A scenario that fails, or whose servers cannot be
   * started, is recorded, and the next one gets new servers.
   *
   * @return what could not be measured
   */
  public List<Failure> run() throws Exception {
    Path data = Files.createDirectories(out.resolve("benchmarks"));
    Progress progress = new Progress(Results.create(data.resolve("results.csv")), scenarios.size());
    Map<String, String> about = new TreeMap<>();
    Setup setup = null;
    try {
      for (String id : scenarios) {
        progress.begin();
        try {
          if (setup == null) {
            setup = Setup.start(start, home, entrants, sizes, progress);
            about.putAll(Surroundings.describe(setup.servers(), setup.field(), sizes));
            // so that an interrupted run still gets a page
            About.write(data.resolve("about.properties"), about);
          }
          ask(setup.scenario(id), setup.field());
        } catch (InterruptedException e) {
          throw e;
        } catch (Exception e) {
          progress.failed(id, e);
          close(setup);
          setup = null;
        }
      }
    } finally {
      close(setup);
    }
    if (!about.isEmpty()) {
      about.put("run.duration", progress.took().toMinutes() + " min");
      About.write(data.resolve("about.properties"), about);
      Page.write(out);
    }
    return progress.failures();
  }

  private static void close(@Nullable Setup setup) {
    if (setup != null) {
      setup.close();
    }
  }

  private static void ask(Scenario scenario, Field field) throws Exception {
    int rounds =
        field.contenders().stream()
            .mapToInt(contender -> scenario.rounds(contender.entrant()))
            .max()
            .orElse(0);
    for (int round = 1; round <= rounds; round++) {
      List<ContenderProcess> contenders = who(scenario, field, round);
      // Each contender is first once, and none always follows the same one.
      Collections.rotate(contenders, 1 - round);
      if (round % 2 == 0) {
        Collections.reverse(contenders);
      }
      scenario.ask(contenders, round);
    }
  }

  private static List<ContenderProcess> who(Scenario scenario, Field field, int round) {
    return new ArrayList<>(
        field.contenders().stream()
            .filter(contender -> round <= scenario.rounds(contender.entrant()))
            .toList());
  }
}
