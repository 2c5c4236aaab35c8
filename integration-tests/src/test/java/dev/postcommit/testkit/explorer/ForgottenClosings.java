package dev.postcommit.testkit.explorer;

import dev.postcommit.internal.store.CheckpointedLog;
import dev.postcommit.store.Claim;
import dev.postcommit.store.Outcome;
import dev.postcommit.testkit.jdbc.JdbcProxy;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * A store that does not note anew that a key is closed when a released event of it is diverted: a
 * page that was read before tells that nothing of the key waits, and opens it.
 */
final class ForgottenClosings {
  private ForgottenClosings() {}

  static CheckpointedLog of(CheckpointedLog store) {
    return JdbcProxy.of(
        CheckpointedLog.class,
        (method, arguments) -> {
          boolean isRelease =
              method.getName().equals("settle")
                  && ((Claim) arguments[0]).token() < 0
                  && ((Collection<?>) arguments[1])
                      .stream().allMatch(outcome -> outcome instanceof Outcome.Released);
          Map<String, Long> before = isRelease ? new HashMap<>(closings(store)) : Map.of();
          Object result = JdbcProxy.call(store, method, arguments);
          if (isRelease) {
            Map<String, Long> now = closings(store);
            before.forEach((key, time) -> now.replace(key, time));
          }
          return result;
        });
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Long> closings(CheckpointedLog store)
      throws ReflectiveOperationException {
    Object inFlight = field(store, "inFlight");
    return (Map<String, Long>) field(field(inFlight, "keys"), "closed");
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }
}
