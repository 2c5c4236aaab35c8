package dev.postcommit.bench.report;

import java.util.Map;
import java.util.Objects;

/**
 * A contender as the page shows it.
 *
 * @param name its name for people
 * @param version the version that was measured
 * @param kind what it is measured for: {@code postcommit}, {@code peer} or {@code limit}
 */
record Contender(String id, String name, String version, String kind) {

  /** Reads what {@code about} says of a contender. */
  static Contender of(String id, Map<String, String> about) {
    String prefix = "contender." + id + ".";
    return new Contender(
        id,
        about.getOrDefault(prefix + "name", id),
        about.getOrDefault(prefix + "version", ""),
        Objects.requireNonNull(about.get(prefix + "kind"), prefix + "kind"));
  }

  boolean isPeer() {
    return kind.equals("peer");
  }
}
