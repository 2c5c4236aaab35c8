package dev.postcommit.bench.measure;

import dev.postcommit.bench.contender.Keys;
import dev.postcommit.bench.contender.LoadTimes;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The result of a load. */
public final class Loaded {
  private static final long LONGEST = TimeUnit.MINUTES.toNanos(10);

  private final LoadTimes times;
  private final Arrivals arrivals;
  private final int committed;
  private @Nullable Verdict verdict;
  private @Nullable Costs costs;

  Loaded(LoadTimes times, Arrivals arrivals) {
    this.times = times;
    this.arrivals = arrivals;
    this.committed = times.commits();
  }

  /** Returns the number of events that should arrive. */
  int expected() {
    return committed;
  }

  /** Returns the number of committed events, at least 1. */
  int committed() {
    return Math.max(1, committed);
  }

  void judge(boolean stopped, Costs measured) {
    verdict = Verdict.of(arrivals, times.events(), Keys.SPREAD, times::isCommitted, stopped);
    costs = measured;
  }

  public Verdict verdict() {
    return Objects.requireNonNull(verdict);
  }

  public Costs costs() {
    return Objects.requireNonNull(costs);
  }

  /** Returns whether no writer gave up. */
  public boolean isWritten() {
    return IntStream.range(0, times.events())
        .allMatch(n -> times.isCommitted(n) || LoadTimes.isRolledBack(n));
  }

  /** Returns the events written per second. */
  public double writtenPerSecond() {
    long last = IntStream.range(0, times.events()).mapToLong(times::committed).max().orElse(0);
    return committed * 1e9 / Math.max(1, last - times.due(0));
  }

  /** Returns the milliseconds from commit to arrival of the events from the {@code from}-th on. */
  public Map<String, Double> latencies(int from) {
    return latencies(from, times.events());
  }

  /** Returns those of the events from the {@code from}-th to before the {@code to}-th. */
  public Map<String, Double> latencies(int from, int to) {
    Histogram fromCommit = new Histogram(LONGEST, 3);
    Histogram fromDue = new Histogram(LONGEST, 3);
    BitSet seen = new BitSet();
    for (int i = 0; i < arrivals.count(); i++) {
      int n = arrivals.number(i);
      if (n >= from && n < to && times.isCommitted(n) && !seen.get(n)) {
        seen.set(n);
        fromCommit.recordValue(limited(arrivals.time(i) - times.committed(n)));
        fromDue.recordValue(limited(arrivals.time(i) - times.due(n)));
      }
    }
    Map<String, Double> metrics = new LinkedHashMap<>();
    if (fromCommit.getTotalCount() > 0) {
      metrics.put("p50_ms", millis(fromCommit, 50));
      metrics.put("p95_ms", millis(fromCommit, 95));
      metrics.put("p99_ms", millis(fromCommit, 99));
      metrics.put("p999_ms", millis(fromCommit, 99.9));
      metrics.put("max_ms", millis(fromCommit, 100));
      metrics.put("due_p99_ms", millis(fromDue, 99));
    }
    return metrics;
  }

  private static long limited(long nanos) {
    return Math.min(LONGEST, Math.max(0, nanos));
  }

  private static double millis(Histogram histogram, double percentile) {
    return histogram.getValueAtPercentile(percentile) / 1e6;
  }
}
