package dev.postcommit.bench;

import dev.postcommit.bench.consume.ConsumeCommand;
import dev.postcommit.bench.report.Failure;
import dev.postcommit.bench.report.Page;
import dev.postcommit.bench.run.Comparison;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures Postcommit side by side with its peers, on real servers. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    subcommands = ConsumeCommand.class,
    description = {
      "Measures Postcommit side by side with its peers: one Postgres with durable settings, one",
      "Kafka, each contender in a JVM of its own, taking turns. Every run is checked for events",
      "that are lost, repeated, out of order, or were rolled back. What cannot be measured is said",
      "and left out.",
      "Writes benchmarks.md, and results and plots in benchmarks/.",
      "Takes about an hour; --quick takes less than five minutes. Compare figures of one run",
      "with each other; machines are noisy."
    })
public final class Main implements Callable<Integer> {
  @Option(
      names = "--quick",
      description = "fewer events and contenders, shorter, one round",
      defaultValue = "false")
  private boolean quick;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "<scenario>",
      description =
          "scenarios to run: drain, steady, sustained, enqueue, keys, hotkey, horizon, statistics,"
              + " history, outage; and, on demand only, report, which takes ten minutes",
      showDefaultValue = CommandLine.Help.Visibility.NEVER)
  private List<String> scenarios = Comparison.scenarios();

  @Option(
      names = "--contenders",
      split = ",",
      paramLabel = "<contender>",
      description = "contenders to compare, if not all; an unknown name lists them",
      showDefaultValue = CommandLine.Help.Visibility.NEVER)
  private List<String> chosen = List.of();

  @Option(
      names = "--rounds",
      description = "how often each scenario is repeated (default: 3, quick 1)",
      showDefaultValue = CommandLine.Help.Visibility.NEVER)
  private Optional<Integer> rounds = Optional.empty();

  @Option(names = "--out", description = "directory for page and results")
  private Path out = Path.of("target", "bench");

  @Option(
      names = "--page",
      description = "measure nothing; write the page anew from the results in --out",
      defaultValue = "false")
  private boolean pageOnly;

  @Spec
  @SuppressWarnings("NullAway") // picocli sets it
  private CommandSpec spec;

  private Main() {}

  /** Runs the benchmark. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Main()).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    List<String> known = new ArrayList<>(Comparison.scenarios());
    known.addAll(Comparison.longScenarios());
    check("scenario", scenarios, known);
    List<String> contenders = chosen.isEmpty() ? everyone() : chosen;
    check("contender", contenders, Comparison.contenders());
    if (rounds.orElse(1) < 1) {
      throw new ParameterException(spec.commandLine(), "--rounds must be at least 1");
    }
    if (pageOnly) {
      return page();
    }
    Path home = Path.of(System.getProperty("postcommit.home", ""));
    List<Failure> failures = new Comparison(home, out, scenarios, contenders, quick, rounds).run();
    System.out.printf("%nresults: %s%n", out.resolve("benchmarks").resolve("results.csv"));
    failures.forEach(failure -> System.out.println("not measured: " + failure));
    return failures.isEmpty() ? 0 : 1;
  }

  private List<String> everyone() {
    return quick ? Comparison.quickContenders() : Comparison.contenders();
  }

  private int page() throws IOException {
    Page.write(out);
    System.out.printf("see %s%n", out.resolve("benchmarks.md"));
    return 0;
  }

  private void check(String what, Collection<String> given, Collection<String> known) {
    for (String name : given) {
      if (!known.contains(name)) {
        throw new ParameterException(
            spec.commandLine(),
            "no such %s: %s; there are %s".formatted(what, name, String.join(", ", known)));
      }
    }
  }
}
