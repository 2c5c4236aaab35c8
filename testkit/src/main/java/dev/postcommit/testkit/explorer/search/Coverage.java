package dev.postcommit.testkit.explorer.search;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Counts pairs of consecutive steps of different actors, by kind of step. */
public final class Coverage {
  private final Set<String> pairs = new HashSet<>();

  /** Creates an empty count. */
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

  /** Adds the pairs of another search. */
  public void addAll(Coverage other) {
    pairs.addAll(other.pairs);
  }

  /** Returns the number of pairs that were seen. */
  public int pairs() {
    return pairs.size();
  }

  /** Returns the number of pairs that were seen in both orders. */
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
