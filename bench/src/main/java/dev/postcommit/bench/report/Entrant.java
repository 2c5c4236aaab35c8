package dev.postcommit.bench.report;

import java.util.Map;
import java.util.TreeMap;

/**
 * A contender as the page shows it.
 *
 * @param name how it is called, for people
 * @param settings what was set, by name
 */
record Entrant(String id, String name, Kind kind, String version, Map<String, String> settings) {

  /** The id of the contender that the others are compared with. */
  static final String REFERENCE = "postcommit-native";

  /** The id of our log layout, which is shown beside the reference. */
  static final String LOG = "postcommit-log";

  /** What a contender is measured for. */
  enum Kind {
    /** One of our own. */
    POSTCOMMIT,
    /** Another's library for the same purpose. */
    PEER,
    /** Not an outbox: what the servers would allow. */
    LIMIT
  }

  /** What {@code about} says of a contender. */
  static Entrant of(String id, Map<String, String> about) {
    String prefix = "contender." + id + ".";
    String kind = about.get(prefix + "kind");
    if (kind == null) {
      throw new IllegalArgumentException("nothing is said of " + prefix + "kind");
    }
    return new Entrant(
        id,
        about.getOrDefault(prefix + "name", id),
        switch (kind) {
          case "postcommit" -> Kind.POSTCOMMIT;
          case "peer" -> Kind.PEER;
          case "limit" -> Kind.LIMIT;
          default -> throw new IllegalArgumentException(prefix + "kind is unknown: " + kind);
        },
        about.getOrDefault(prefix + "version", "-"),
        below(prefix + "setting.", about));
  }

  /** The properties whose names begin with {@code prefix}, without it. */
  static Map<String, String> below(String prefix, Map<String, String> about) {
    Map<String, String> below = new TreeMap<>();
    about.forEach(
        (name, value) -> {
          if (name.startsWith(prefix)) {
            below.put(name.substring(prefix.length()), value);
          }
        });
    return below;
  }

  boolean isReference() {
    return id.equals(REFERENCE);
  }

  boolean isLog() {
    return id.equals(LOG);
  }

  /** Whether it is a layout of our own design, which peers are to be measured against. */
  boolean isMain() {
    return isReference() || isLog();
  }

  /** Whether it is a peer that asks the database for events, rather than reading its log. */
  boolean isPollingPeer() {
    return kind == Kind.PEER && !id.startsWith("debezium");
  }
}
