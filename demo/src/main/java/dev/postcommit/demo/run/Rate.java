package dev.postcommit.demo.run;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** The growth of a counter over the last seconds. */
final class Rate {
  private static final Duration WINDOW = Duration.ofSeconds(2);

  private record Sample(long count, long at) {}

  private final Deque<Sample> samples = new ArrayDeque<>();

  long perSecond(long count, long now) {
    while (samples.size() > 1 && now - samples.getFirst().at() > WINDOW.toNanos()) {
      samples.removeFirst();
    }
    samples.addLast(new Sample(count, now));
    Sample first = samples.getFirst();
    return now == first.at() ? 0 : Math.round((count - first.count()) * 1e9 / (now - first.at()));
  }
}
