package dev.postcommit.testkit.explorer.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tries all schedules, depth first. Sleep sets avoid trying schedules that differ only in the order
 * of commuting steps: after an actor's step was tried at some point, the actor sleeps in the later
 * alternatives until a step runs that does not commute with its own.
 */
public final class Exhaustive implements Strategy {

  private static final class Node {
    final List<Step> ready;
    final Map<Integer, Footprint> asleep;
    final Set<Integer> tried = new HashSet<>();
    int chosen;
    Footprint actual = Footprint.EVERYTHING;

    Node(List<Step> ready, Map<Integer, Footprint> asleep) {
      this.ready = List.copyOf(ready);
      this.asleep = asleep;
    }

    Step step(int actor) {
      return ready.stream().filter(s -> s.actor() == actor).findFirst().orElseThrow();
    }

    /** The next actor to try, or -1. */
    int next(int preferred) {
      int found = -1;
      for (Step step : ready) {
        int actor = step.actor();
        if (!tried.contains(actor) && !asleep.containsKey(actor)) {
          if (actor == preferred) {
            return actor;
          }
          found = found < 0 ? actor : found;
        }
      }
      return found;
    }
  }

  private final boolean reduces;
  private final List<Node> path = new ArrayList<>();
  private int depth;

  /**
   * Creates a search.
   *
   * @param reduces whether to try commuting steps in one order only
   */
  public Exhaustive(boolean reduces) {
    this.reduces = reduces;
  }

  @Override
  public int choose(List<Step> ready, int last) {
    Node node;
    if (depth < path.size()) {
      node = path.get(depth);
      requireSame(node.ready, ready);
    } else {
      node = new Node(ready, asleepAfter());
      node.chosen = node.next(last);
      if (node.chosen < 0) {
        return STOP;
      }
      path.add(node);
    }
    depth++;
    return node.ready.indexOf(node.step(node.chosen));
  }

  private Map<Integer, Footprint> asleepAfter() {
    Map<Integer, Footprint> asleep = new HashMap<>();
    if (reduces && !path.isEmpty()) {
      Node before = path.get(path.size() - 1);
      before.asleep.forEach(
          (actor, footprint) -> {
            if (footprint.commutesWith(before.actual)) {
              asleep.put(actor, footprint);
            }
          });
      for (int actor : before.tried) {
        Footprint footprint = before.step(actor).footprint();
        if (footprint.commutesWith(before.actual)) {
          asleep.put(actor, footprint);
        }
      }
    }
    return asleep;
  }

  private static void requireSame(List<Step> expected, List<Step> actual) {
    if (!expected.equals(actual)) {
      throw new DivergedException(
          "the same schedule came to %s, and to %s before".formatted(actual, expected));
    }
  }

  @Override
  public void ran(Step step, Footprint actual) {
    path.get(depth - 1).actual = actual;
  }

  /** Moves to the next schedule; returns whether there is one. */
  public boolean next() {
    depth = 0;
    while (!path.isEmpty()) {
      Node last = path.get(path.size() - 1);
      last.tried.add(last.chosen);
      last.chosen = last.next(-1);
      if (last.chosen >= 0) {
        return true;
      }
      path.remove(path.size() - 1);
    }
    return false;
  }
}
