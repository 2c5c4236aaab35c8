package dev.postcommit.demo.run;

import dev.postcommit.layout.Layout;
import dev.postcommit.settings.BrokerSettings.BrokerName;
import java.time.Duration;

/**
 * The options of a demo.
 *
 * @param broker where events go
 * @param layout the shape of the outbox table
 * @param events how many events are committed
 * @param relays how many relays run side by side
 * @param kill whether relays are killed and replaced
 * @param keep whether the servers stay up at the end
 * @param seed determines all random choices, but not the timing
 */
public record DemoOptions(
    BrokerName broker,
    Layout layout,
    int events,
    int relays,
    boolean kill,
    boolean keep,
    long seed) {
  private static final int EVENTS_PER_SECOND = 400;
  private static final Duration SHORTEST = Duration.ofSeconds(5);
  private static final Duration SHORTEST_WITH_KILLS = Duration.ofSeconds(8);
  private static final Duration LONGEST = Duration.ofSeconds(15);

  /** How long events are written: long enough to kill relays that are busy. */
  Duration writingTime() {
    Duration time = Duration.ofSeconds(events / EVENTS_PER_SECOND);
    Duration shortest = kill ? SHORTEST_WITH_KILLS : SHORTEST;
    if (time.compareTo(shortest) < 0) {
      return shortest;
    }
    return time.compareTo(LONGEST) > 0 ? LONGEST : time;
  }
}
