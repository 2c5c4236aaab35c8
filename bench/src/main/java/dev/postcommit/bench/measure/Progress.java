package dev.postcommit.bench.measure;

import dev.postcommit.bench.report.Failure;
import dev.postcommit.bench.report.Results;
import dev.postcommit.bench.report.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reports the progress of a run, and keeps its results. */
public final class Progress {
  private final Results results;
  private final int scenarios;
  private final long start = System.nanoTime();
  private final List<Failure> failures = new ArrayList<>();
  private int begun;

  /**
   * Begins a run.
   *
   * @param scenarios how many scenarios it has
   */
  public Progress(Results results, int scenarios) {
    this.results = results;
    this.scenarios = scenarios;
  }

  /** Begins the next scenario. */
  public void begin() {
    begun++;
  }

  public void accept(Row row) {
    results.accept(row);
  }

  public void say(String text) {
    System.out.printf("%5s %2d/%d  %s%n", elapsed(), begun, scenarios, text);
  }

  public void measured(String scenario, String variant, Entrant entrant, int round, String text) {
    say("%-10s %-8s round %d  %-26s %s".formatted(scenario, variant, round, entrant.id(), text));
  }

  /** Records that a scenario, or the rest of it, cannot be measured. */
  public void failed(String scenario, Exception e) {
    failed(new Failure(scenario, "", String.valueOf(e.getMessage())));
  }

  /** Records that a contender cannot be measured in a scenario. */
  public void failed(String scenario, Entrant entrant, Exception e) {
    failed(new Failure(scenario, entrant.id(), String.valueOf(e.getMessage())));
  }

  private void failed(Failure failure) {
    failures.add(failure);
    results.failed(failure);
    say("NOT MEASURED: " + failure);
  }

  /** Returns what could not be measured. */
  public List<Failure> failures() {
    return failures;
  }

  public Duration took() {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private String elapsed() {
    long seconds = took().toSeconds();
    return "%d:%02d".formatted(seconds / 60, seconds % 60);
  }
}
