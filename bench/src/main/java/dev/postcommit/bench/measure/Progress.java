package dev.postcommit.bench.measure;

import dev.postcommit.bench.report.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Reports the progress of a run, and keeps its results. */
public final class Progress implements Consumer<Row> {
  private final Consumer<Row> results;
  private final long start = System.nanoTime();
  private final List<String> failures = new ArrayList<>();
  private int turns;
  private int turn;

  public Progress(Consumer<Row> results) {
    this.results = results;
  }

  /** Sets the number of turns: contenders times rounds, of all scenarios. */
  public void expect(int value) {
    turns = value;
  }

  /** Begins a turn: one contender in one round of one scenario. */
  public void begin() {
    turn++;
  }

  @Override
  public void accept(Row row) {
    results.accept(row);
  }

  public void say(String text) {
    System.out.printf("%5s %3d%%  %s%n", elapsed(), percent(), text);
  }

  public synchronized void measured(
      String scenario, String variant, Entrant entrant, int round, String text) {
    System.out.printf(
        "%5s %3d%%  %-9s %-8s round %d  %-26s %s%n",
        elapsed(), percent(), scenario, variant, round, entrant.id(), text);
  }

  public synchronized void failed(String scenario, Entrant entrant, Exception e) {
    failures.add(scenario + ", " + entrant.id() + ": " + e.getMessage());
    System.out.printf(
        "%5s %3d%%  %-9s FAILED  %s%n", elapsed(), percent(), scenario, e.getMessage());
  }

  /** Returns what could not be measured. */
  public List<String> failures() {
    return failures;
  }

  public Duration took() {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private String elapsed() {
    long seconds = took().toSeconds();
    return "%d:%02d".formatted(seconds / 60, seconds % 60);
  }

  private int percent() {
    return turns == 0 ? 0 : 100 * Math.max(0, turn - 1) / turns;
  }
}
