package dev.postcommit.testkit.explorer.search;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which kinds of steps of different actors were seen one right after the other. */
public final class Coverage {
  private final Set<String> pairs = new HashSet<>();

  /** Nothing was seen yet. */
  public Coverage() {}

  public void add(List<Step> steps, List<String> names) {
    for (int i = 1; i < steps.size(); i++) {
      Step first = steps.get(i - 1);
      Step second = steps.get(i);
      if (first.actor() != second.actor()) {
        pairs.add(label(first, names) + " | " + label(second, names));
      }
    }
  }

  private static String label(Step step, List<String> names) {
    return names.get(step.actor()).replaceAll("\\d", "") + ": " + step.label();
  }

  /** Adds what another search has seen. */
  public void addAll(Coverage other) {
    pairs.addAll(other.pairs);
  }

  /** How many pairs of steps were seen in an order. */
  public int pairs() {
    return pairs.size();
  }

  /** How many of these were seen in both orders. */
  public long bothOrders() {
    return pairs.stream()
        .filter(
            pair -> {
              String[] sides = pair.split(" \\| ", 2);
              return pairs.contains(sides[1] + " | " + sides[0]);
            })
        .count();
  }
}
