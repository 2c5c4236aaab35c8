package dev.postcommit.consumer.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postcommit.support.Wrappers;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A Lua script that changes marks conditionally.
 *
 * @param output the type of its answer
 */
record RedisScript(String text, String digest, ScriptOutputType output) {

  /**
   * Sets marks in progress where there are none but the caller's own, which it may have set before.
   * Keys: the marks. Arguments: milliseconds to live, what all marks in progress begin with, and
   * the mark in progress, one for all keys or one for each. Answers for each key: 0 if it is set, 1
   * if another is in progress, 2 if the event was processed.
   */
  static final RedisScript BEGIN =
      of(
          """
          local answers = {}
          for i, key in ipairs(KEYS) do
            local mark = ARGV[2 + i] or ARGV[3]
            if redis.call('SET', key, mark, 'NX', 'PX', ARGV[1]) then
              answers[i] = 0
            else
              local value = redis.call('GET', key)
              if value == mark then
                redis.call('PEXPIRE', key, ARGV[1])
                answers[i] = 0
              elseif string.sub(value, 1, #ARGV[2]) == ARGV[2] then
                answers[i] = 1
              else
                answers[i] = 2
              end
            end
          end
          return answers
          """,
          ScriptOutputType.MULTI);

  /**
   * Replaces a mark in progress by a processed one, unless it is another's. Key: the mark.
   * Arguments: the mark in progress, the processed one, seconds to live. Answers 1 if it did.
   */
  static final RedisScript COMPLETE =
      of(
          """
          local value = redis.call('GET', KEYS[1])
          if not value or value == ARGV[1] or value == ARGV[2] then
            redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
            return 1
          end
          return 0
          """,
          ScriptOutputType.INTEGER);

  /** Deletes marks, but for others'. Keys: the marks. Argument: what is the caller's. */
  static final RedisScript ABANDON =
      of(
          """
          local deleted = 0
          for i, key in ipairs(KEYS) do
            if redis.call('GET', key) == ARGV[1] then
              deleted = deleted + redis.call('DEL', key)
            end
          end
          return deleted
          """,
          ScriptOutputType.INTEGER);

  private static RedisScript of(String text, ScriptOutputType output) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(UTF_8));
      return new RedisScript(text, HexFormat.of().formatHex(digest), output);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-1", e);
    }
  }

  /** Runs it by its digest, or by its text where Redis does not know it yet. */
  <T> CompletionStage<T> run(
      RedisAsyncCommands<String, String> commands, String[] keys, String... arguments) {
    return commands
        .<T>evalsha(digest, output, keys, arguments)
        .exceptionallyCompose(
            failure -> {
              if (Wrappers.unwrap(failure) instanceof RedisNoScriptException) {
                return commands.eval(text, output, keys, arguments);
              }
              return CompletableFuture.failedStage(failure);
            });
  }
}
