package dev.postcommit.testkit.explorer.search;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A random schedule with few context switches: each actor has a random priority, the highest one
 * runs, and at a few random steps the actor that is running gets the lowest. A fault that takes
 * {@code d} ordering constraints is found with a probability of at least 1 in n·k^(d-1), for n
 * actors and k steps.
 */
public final class Pct implements Strategy {
  /** An actor that polls must not keep all others waiting for ever. */
  private static final int MANY = 40;

  private final Map<Integer, Integer> made = new HashMap<>();
  private final Map<Integer, Integer> priorities = new HashMap<>();
  private final Set<Integer> changes = new HashSet<>();
  private final Random random;
  private int lowest;
  private int steps;

  /**
   * A schedule.
   *
   * @param shortest how many steps a run has if the actors go one after the other
   * @param longest how many it may have, as they wait for each other; priorities change up to a
   *     step between these, so that no part of a long run is left out, nor a short one neglected
   * @param switches how often a priority changes
   */
  public Pct(long seed, int actors, int shortest, int longest, int switches) {
    random = new Random(seed);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < actors; i++) {
      order.add(i);
    }
    Collections.shuffle(order, random);
    order.forEach(actor -> priorities.put(actor, priorities.size()));
    int length = shortest + random.nextInt(longest - shortest + 1);
    for (int i = 0; i < switches; i++) {
      changes.add(1 + random.nextInt(Math.max(length, 1)));
    }
  }

  @Override
  public int choose(List<Step> ready, int last) {
    int highest = highest(ready);
    int actor = ready.get(highest).actor();
    if (changes.contains(++steps) || made.merge(actor, 1, Integer::sum) % MANY == 0) {
      priorities.put(actor, --lowest);
      highest = highest(ready);
    }
    return highest;
  }

  private int highest(List<Step> ready) {
    int best = 0;
    for (int i = 1; i < ready.size(); i++) {
      if (priority(ready.get(i)) > priority(ready.get(best))) {
        best = i;
      }
    }
    return best;
  }

  /** Actors that join later are as likely as others to come first. */
  private int priority(Step step) {
    return priorities.computeIfAbsent(step.actor(), actor -> random.nextInt(priorities.size() + 1));
  }
}
