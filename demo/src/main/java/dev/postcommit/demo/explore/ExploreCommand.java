package dev.postcommit.demo.explore;

import dev.postcommit.server.table.Failure;
import dev.postcommit.server.terminal.CliCommand;
import dev.postcommit.server.terminal.ExitCode;
import dev.postcommit.testkit.explorer.Scenarios;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code postcommit explore}. */
@Command(
    name = "explore",
    customSynopsis =
        "postcommit explore [--schedules <n>] [--layout <name>[,<name>...]] [--seed <n>] [--workers <n>]"
            + " [--state <file>]%n       postcommit explore --scenario <name> --number <number>",
    description = {
      "Searches for an order of steps in which Postcommit breaks a promise.",
      "",
      "Plays small scenarios of writers, relays, operators and crashes on a real Postgres in a"
          + " temporary directory, one statement at a time, in random orders with few context"
          + " switches, and checks after each run that nothing was lost, invented or reordered. The"
          + " first order that breaks a promise is made as short as possible and printed as a"
          + " script; its number plays it again. Where whole relays with their threads take part,"
          + " timing has a part too: there is a script of what happened, and no number.",
    },
    footerHeading = "%n",
    footer = {
      "Examples:",
      "  postcommit explore",
      "  postcommit explore --schedules 1000000 --layout log --seed 7",
      "  postcommit explore --scenario native-leases --number 1x9k2",
      "",
      "Exit codes: 0 nothing found, 1 a promise was broken, 2 wrong usage."
    })
public final class ExploreCommand extends CliCommand {

  @Option(
      names = "--schedules",
      paramLabel = "<n>",
      description = "How many schedules are played in all. Default: ${DEFAULT-VALUE}.")
  private long schedules = 10_000;

  @Option(
      names = "--layout",
      paramLabel = "<name>",
      split = ",",
      description = "Plays only scenarios of these kinds of storage. Default: all of them.")
  private List<String> layouts = List.of();

  @Option(
      names = "--seed",
      paramLabel = "<n>",
      description = "Plays the schedules that this seed stands for. Default: one of its own.")
  private @Nullable Long seed;

  @Option(
      names = "--workers",
      paramLabel = "<n>",
      description = "How many scenarios are played side by side. Default: one for each core.")
  private int workers = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--state",
      paramLabel = "<file>",
      description = {
        "Records which schedules were played; a search with the same seed goes on after them.",
        "Default: target/explore-<seed>.properties"
      })
  private @Nullable Path state;

  @Option(
      names = "--scenario",
      paramLabel = "<name>",
      description = "Plays one schedule of this scenario again: see --number.")
  private @Nullable String scenario;

  @Option(
      names = "--number",
      paramLabel = "<number>",
      description = "The schedule to play again, as it was printed.")
  private @Nullable String number;

  @Override
  public Integer call() throws Exception {
    Map<String, List<Scenario>> all = Scenarios.all();
    if (scenario != null || number != null) {
      return again(all);
    }
    if (schedules < 1) {
      throw wrongUsage("--schedules: '%d' is not positive".formatted(schedules));
    }
    if (workers < 1 || workers > 16) {
      throw wrongUsage("--workers: '%d' is not from 1 to 16".formatted(workers));
    }
    for (String name : layouts) {
      if (!all.containsKey(name)) {
        throw wrongUsage(
            "--layout: '%s' is not one of %s".formatted(name, String.join(", ", all.keySet())));
      }
    }
    List<Scenario> chosen = new ArrayList<>();
    all.forEach(
        (name, scenarios) -> {
          if (layouts.isEmpty() || layouts.contains(name)) {
            chosen.addAll(scenarios);
          }
        });
    long chosenSeed = seed == null ? ThreadLocalRandom.current().nextInt(1, 1_000_000) : seed;
    Path file =
        terminal()
            .directory()
            .resolve(
                state == null ? Path.of("target", "explore-" + chosenSeed + ".properties") : state);
    boolean isFine =
        new Exploration(chosen, chosenSeed, schedules, workers, SearchState.read(file, chosenSeed))
            .run(terminal());
    return isFine ? ExitCode.OK : ExitCode.FAILED;
  }

  private Integer again(Map<String, List<Scenario>> all) throws Exception {
    if (scenario == null || number == null) {
      throw wrongUsage("--scenario and --number go together");
    }
    String name = scenario;
    Scenario found =
        all.values().stream()
            .flatMap(List::stream)
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow(() -> wrongUsage("--scenario: there is none of the name '" + name + "'"));
    if (!found.isRepeatable()) {
      throw wrongUsage(
          "--scenario: what '%s' does depends on timing too, so no number plays it again"
              .formatted(name));
    }
    try {
      return Exploration.again(found, number, terminal()) ? ExitCode.OK : ExitCode.FAILED;
    } catch (NumberFormatException e) {
      throw new Failure("--number: '" + number + "' is not the number of a schedule", e);
    }
  }
}
