package dev.postcommit.inbox;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A script that changes the mark of one event, if the mark allows, and says whether it did. */
record RedisScript(String text) {

  /** Arguments: the mark in progress, the processed one, seconds to live. */
  static final RedisScript COMPLETE =
      new RedisScript(
          """
          local value = redis.call('GET', KEYS[1])
          if not value or value == ARGV[1] or value == ARGV[2] then
            redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
            return 1
          end
          return 0
          """);

  /** Arguments: the mark in progress. */
  static final RedisScript ABANDON =
      new RedisScript(
          """
          if redis.call('GET', KEYS[1]) == ARGV[1] then
            return redis.call('DEL', KEYS[1])
          end
          return 0
          """);

  /** Runs it by its digest, or by its text where Redis does not know it yet. */
  CompletionStage<Boolean> run(
      RedisAsyncCommands<String, String> commands, String key, String... arguments) {
    String[] keys = {key};
    return commands
        .<Long>evalsha(commands.digest(text), ScriptOutputType.INTEGER, keys, arguments)
        .exceptionallyCompose(
            failure -> {
              if (RedisLink.cause(failure) instanceof RedisNoScriptException) {
                return commands.eval(text, ScriptOutputType.INTEGER, keys, arguments);
              }
              return CompletableFuture.failedStage(failure);
            })
        .thenApply(changed -> changed == 1);
  }
}
