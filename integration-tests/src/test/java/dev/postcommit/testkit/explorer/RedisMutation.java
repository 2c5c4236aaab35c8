package dev.postcommit.testkit.explorer;

import io.lettuce.core.SetArgs;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is changed on the way to Redis and back.
 *
 * @param script changes scripts
 * @param set changes the conditions of SET
 * @param got changes what GET answers
 */
record RedisMutation(
    UnaryOperator<String> script, UnaryOperator<SetArgs> set, UnaryOperator<@Nullable String> got) {

  static final RedisMutation NONE =
      new RedisMutation(
          UnaryOperator.identity(), UnaryOperator.identity(), UnaryOperator.identity());

  /** Replaces a part of the scripts. */
  static RedisMutation replacing(String part, String other) {
    return new RedisMutation(text -> text.replace(part, other), NONE.set, NONE.got);
  }
}
