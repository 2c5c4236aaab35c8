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
   * What is to be run.
   *
   * @param home the source tree
   * @param out where page and results go
   * @param scenarios the names of scenarios
   * @param contenders the names of contenders
   * @param quick whether it is to be done within minutes
   * @param rounds how often each scenario is repeated, if not as often as usual
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

  /** The names of the scenarios of a run that is not told which. */
  public static List<String> scenarios() {
    return Scenarios.IDS;
  }

  /** The names of scenarios that take so long that they are run on demand only. */
  public static List<String> longScenarios() {
    return Scenarios.LONG;
  }

  /** The names of all contenders. */
  public static List<String> contenders() {
    return Entrant.ALL.stream().map(Entrant::id).toList();
  }

  /** The names of the contenders of a quick run: of our layouts only native and log. */
  public static List<String> quickContenders() {
    return Entrant.ALL.stream().filter(entrant -> !entrant.isMinor()).map(Entrant::id).toList();
  }

  /** Runs it, and returns what could not be measured. */
  public List<String> run() throws Exception {
    Path data = Files.createDirectories(out.resolve("benchmarks"));
    try (Servers servers = Servers.start()) {
      Tables.execute(servers.dataSource(), Business.TABLE);
      System.out.printf("starting %d contenders ...%n", entrants.size());
      try (Field field = Field.start(servers, home, entrants)) {
        Progress progress = new Progress(Results.create(data.resolve("results.csv")));
        Map<String, String> about = Surroundings.describe(servers, field, sizes);
        // A run that is cut short can be made a page of.
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
        // Each is the first once, and nobody always follows the same one.
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
