package dev.postcommit.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A script that changes the mark of one event, if the mark allows, and says whether it did. */
record RedisScript(String text, String digest) {

  /** Arguments: the mark in progress, the processed one, seconds to live. */
  static final RedisScript COMPLETE =
      of(
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
      of(
          """
          if redis.call('GET', KEYS[1]) == ARGV[1] then
            return redis.call('DEL', KEYS[1])
          end
          return 0
          """);

  private static RedisScript of(String text) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(UTF_8));
      return new RedisScript(text, HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-1", e);
    }
  }

  /** Runs it by its digest, or by its text where Redis does not know it yet. */
  CompletionStage<Boolean> run(
      RedisAsyncCommands<String, String> commands, String key, String... arguments) {
    String[] keys = {key};
    return commands
        .<Long>evalsha(digest, ScriptOutputType.INTEGER, keys, arguments)
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
