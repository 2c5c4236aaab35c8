package dev.postcommit.consumer;

import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Refuses what a store is given and cannot use. */
final class Checks {
  private Checks() {}

  static Duration positive(String name, Duration value) {
    if (value.toMillis() < 1) {
      throw new IllegalArgumentException(name + " must be at least 1 ms, not " + value);
    }
    return value;
  }

  static String present(String name, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(name + " must not be blank, not '" + value + "'");
    }
    return value;
  }

  static void fits(IdempotencyStore store, Collection<String> eventIds) {
    for (String id : eventIds) {
      @Nullable String problem = store.problem(id);
      if (problem != null) {
        throw new IllegalArgumentException(problem);
      }
    }
  }
}
