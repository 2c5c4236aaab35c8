package dev.postcommit.consumer.inbox;

import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Checks the arguments of a store. */
final class StoreArguments {
  private StoreArguments() {}

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

  static void checkIds(IdempotencyStore store, Collection<String> eventIds) {
    eventIds.forEach(id -> checkId(store.problem(id)));
  }

  static void checkId(@Nullable String problem) {
    if (problem != null) {
      throw new IllegalArgumentException(problem);
    }
  }
}
