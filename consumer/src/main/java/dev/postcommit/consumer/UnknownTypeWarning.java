package dev.postcommit.consumer;

import dev.postcommit.support.LogText;
import dev.postcommit.support.Suggestion;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns once of each type of events that has no handler. */
final class UnknownTypeWarning {
  private static final Logger log = LoggerFactory.getLogger(UnknownTypeWarning.class);

  /** Types come from messages, so their number and their length are limited. */
  private static final int MOST_TYPES = 1_000;

  private static final int LONGEST_TYPE = 200;

  private final String consumer;
  private final Set<String> known;
  private final UnknownTypes policy;
  private final Set<String> warned = ConcurrentHashMap.newKeySet();

  UnknownTypeWarning(String consumer, Set<String> known, UnknownTypes policy) {
    this.consumer = consumer;
    this.known = new TreeSet<>(known);
    this.policy = policy;
  }

  void found(String type) {
    String shown = type.length() > LONGEST_TYPE ? type.substring(0, LONGEST_TYPE) + "…" : type;
    if (warned.size() < MOST_TYPES && warned.add(shown)) {
      log.warn(
          "{} has no handler for events of type {}, and {}; its handlers are for {}{}",
          consumer,
          LogText.line(shown),
          consequence(),
          String.join(", ", known),
          LogText.line(Suggestion.didYouMean(type, known)));
    }
  }

  private String consequence() {
    return switch (policy) {
      case IGNORE -> "ignores them";
      case DEAD_LETTER -> "sends them to the dead-letter topic";
      case FAIL -> "retries them until there is one";
    };
  }
}
