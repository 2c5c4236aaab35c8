package dev.postcommit.examples.minichat.chat;

import dev.postcommit.examples.minichat.usage.TokenUsage;
import dev.postcommit.examples.minichat.usage.ToolCalls;
import org.jspecify.annotations.Nullable;

/** How a turn ended, as the provider of the model and the connection to the client tell. */
public sealed interface Ending {

  /** The answer is complete. */
  record Completed(TokenUsage usage, ToolCalls tools) implements Ending {}

  /**
   * The provider failed.
   *
   * @param usage what it had used by then, or null if it failed before it began
   */
  record Failed(@Nullable TokenUsage usage) implements Ending {}

  /**
   * The client went away, or nobody has heard of the turn for too long.
   *
   * @param usage what it had used by then, or null if nobody knows
   */
  record Aborted(@Nullable TokenUsage usage) implements Ending {}
}
