package dev.postcommit.examples.minichat.usage;

/** The tokens of a turn, as the provider of the model counted them. */
public record TokenUsage(
    long inputTokens,
    long outputTokens,
    long cacheReadInputTokens,
    long cacheWriteInputTokens,
    long reasoningTokens) {

  /** Refuses negative counts. */
  public TokenUsage {
    if (inputTokens < 0
        || outputTokens < 0
        || cacheReadInputTokens < 0
        || cacheWriteInputTokens < 0
        || reasoningTokens < 0) {
      throw new IllegalArgumentException("tokens must not be negative");
    }
  }

  /** Usage without caches and reasoning. */
  public static TokenUsage of(long input, long output) {
    return new TokenUsage(input, output, 0, 0, 0);
  }
}
