package dev.postcommit.testkit.explorer.inbox;

import dev.postcommit.consumer.inbox.Mark;
import dev.postcommit.testkit.explorer.scenario.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What stores told consumers in a run, and which effects there were outside of the database; and
 * whether that keeps the promises: no event is handled by two while their leases last, and none
 * that was completed.
 */
final class InboxHistory {

  /** The right to handle an event. */
  private record Holder(String consumer, String token, int since) {}

  private final Map<String, Holder> holders = new HashMap<>();
  private final Set<String> completed = new HashSet<>();
  private final Map<String, Integer> effects = new TreeMap<>();
  private final List<String> outcomes = new ArrayList<>();
  private @Nullable Violation broken;
  private int time;

  /** A promise is broken; the code under test may catch what is thrown here. */
  private Violation broken(String problem) {
    broken = new Violation(problem);
    return broken;
  }

  /** Fails if a promise was broken. */
  synchronized void check() {
    if (broken != null) {
      throw broken;
    }
  }

  /** How often the in-progress time has passed. */
  synchronized int time() {
    return time;
  }

  synchronized void timePasses() {
    time++;
  }

  /**
   * A store said to proceed.
   *
   * @param since the time when it was asked
   */
  synchronized void proceeds(String consumer, Mark mark, int since) {
    String event = Broker.name(mark.eventId());
    if (completed.contains(event)) {
      throw broken(
          "%s is to handle %s, which was handled and completed".formatted(consumer, event));
    }
    @Nullable Holder other = other(mark);
    if (other != null) {
      throw broken("%s is to handle %s while %s does".formatted(consumer, event, other.consumer()));
    }
    holders.put(event, new Holder(consumer, mark.token(), since));
  }

  /** Whoever else handles an event and has time left. */
  private @Nullable Holder other(Mark mark) {
    @Nullable Holder holder = holders.get(Broker.name(mark.eventId()));
    return holder != null && holder.since() == time && !holder.token().equals(mark.token())
        ? holder
        : null;
  }

  /** A store confirmed that an event was completed by this mark. */
  synchronized void completed(String consumer, Mark mark) {
    String event = Broker.name(mark.eventId());
    @Nullable Holder other = other(mark);
    if (other != null) {
      throw broken(
          "%s has completed %s while %s handles it".formatted(consumer, event, other.consumer()));
    }
    completed.add(event);
    holders.remove(event);
  }

  synchronized boolean isCompleted(String event) {
    return completed.contains(event);
  }

  /** A consumer gives a mark up. */
  synchronized void abandons(Mark mark) {
    String event = Broker.name(mark.eventId());
    @Nullable Holder holder = holders.get(event);
    if (holder != null && holder.token().equals(mark.token())) {
      holders.remove(event);
    }
  }

  /** A handler has its effect outside of the database. */
  synchronized void effect(String event) {
    effects.merge(event, 1, Integer::sum);
  }

  synchronized Map<String, Integer> effects() {
    return new TreeMap<>(effects);
  }

  /** What became of a message. */
  synchronized void outcome(String consumer, String event, Object outcome) {
    outcomes.add(consumer + " " + event + " " + outcome);
  }

  /** What became of messages, for comparisons of runs. */
  synchronized List<String> outcomes() {
    return outcomes.stream().sorted().toList();
  }
}
