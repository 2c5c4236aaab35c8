package dev.postcommit.bench.run;

import dev.postcommit.bench.contender.Business;
import dev.postcommit.bench.contender.Tables;
import dev.postcommit.bench.measure.Bench;
import dev.postcommit.bench.measure.ContenderProcess;
import dev.postcommit.bench.measure.Entrant;
import dev.postcommit.bench.measure.Field;
import dev.postcommit.bench.measure.Progress;
import dev.postcommit.bench.measure.Servers;
import dev.postcommit.bench.measure.Sizes;
import dev.postcommit.bench.report.About;
import dev.postcommit.bench.report.Page;
import dev.postcommit.bench.report.Results;
import dev.postcommit.bench.scenario.Scenario;
import dev.postcommit.bench.scenario.Scenarios;
import dev.postcommit.bench.scenario.WarmUp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One run of the benchmark: chosen scenarios, chosen contenders, one Postgres, one Kafka. */
public final class Comparison {
  private final Path home;
  private final Path out;
  private final List<String> scenarios;
  private final List<Entrant> entrants;
  private final Sizes sizes;

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
    this(home, out, scenarios, contenders, sizes(quick, rounds));
  }

  private static Sizes sizes(boolean quick, Optional<Integer> rounds) {
    Sizes sizes = quick ? Sizes.QUICK : Sizes.FULL;
    return sizes.withRounds(rounds.orElse(sizes.rounds()));
  }

  Comparison(Path home, Path out, List<String> scenarios, List<String> contenders, Sizes sizes) {
    this.home = home;
    this.out = out;
    this.scenarios = scenarios;
    this.entrants =
        Entrant.ALL.stream().filter(entrant -> contenders.contains(entrant.id())).toList();
    this.sizes = sizes;
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

  /** Runs it; returns what could not be measured. */
  public List<String> run() throws Exception {
    Path data = Files.createDirectories(out.resolve("benchmarks"));
    try (Servers servers = Servers.start()) {
      Tables.execute(servers.dataSource(), Business.TABLE);
      System.out.printf("starting %d contenders ...%n", entrants.size());
      try (Field field = Field.start(servers, home, entrants)) {
        Progress progress = new Progress(Results.create(data.resolve("results.csv")));
        Map<String, String> about = Surroundings.describe(servers, field, sizes);
        // so that an interrupted run still gets a page
        About.write(data.resolve("about.properties"), about);
        ask(field, new Bench(servers, sizes), progress);
        about.put("run.duration", progress.took().toMinutes() + " min");
        About.write(data.resolve("about.properties"), about);
        Page.write(out);
        return progress.failures();
      }
    }
  }

  private void ask(Field field, Bench bench, Progress progress) throws Exception {
    List<Scenario> asked =
        Scenarios.all(bench, field, progress).stream()
            .filter(scenario -> scenarios.contains(scenario.id()))
            .toList();
    progress.expect(
        asked.stream()
            .flatMap(scenario -> entrants.stream().map(scenario::rounds))
            .mapToInt(Integer::intValue)
            .sum());
    new WarmUp(bench, progress).run(field.contenders());
    for (Scenario scenario : asked) {
      int rounds = entrants.stream().mapToInt(scenario::rounds).max().orElse(0);
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
  }

  private static List<ContenderProcess> who(Scenario scenario, Field field, int round) {
    return new ArrayList<>(
        field.contenders().stream()
            .filter(contender -> round <= scenario.rounds(contender.entrant()))
            .toList());
  }
}
