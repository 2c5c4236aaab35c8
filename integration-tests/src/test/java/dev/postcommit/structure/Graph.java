package dev.postcommit.structure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which packages, or which modules, use which others. */
final class Graph {
  private final Map<String, Set<String>> uses = new TreeMap<>();
  private final Map<String, Set<String>> reachable = new HashMap<>();

  void add(String from, String to) {
    if (!from.equals(to)) {
      uses.computeIfAbsent(from, added -> new TreeSet<>()).add(to);
    }
  }

  /** Returns each set of nodes that all reach each other, as one line of their names. */
  List<String> cycles() {
    Set<String> cycles = new TreeSet<>();
    for (String node : uses.keySet()) {
      if (reachableFrom(node).contains(node)) {
        Set<String> cycle = new TreeSet<>(reachableFrom(node));
        cycle.removeIf(other -> !reachableFrom(other).contains(node));
        cycles.add(String.join(", ", cycle));
      }
    }
    return new ArrayList<>(cycles);
  }

  private Set<String> reachableFrom(String node) {
    return reachable.computeIfAbsent(
        node,
        start -> {
          Set<String> reached = new TreeSet<>();
          visit(start, reached);
          return reached;
        });
  }

  private void visit(String node, Set<String> reached) {
    for (String next : uses.getOrDefault(node, Set.of())) {
      if (reached.add(next)) {
        visit(next, reached);
      }
    }
  }
}
