package dev.postcommit.examples.minichat.chat;

import dev.postcommit.examples.minichat.chat.Turn.State;
import dev.postcommit.examples.minichat.usage.TokenUsage;
import dev.postcommit.examples.minichat.usage.ToolCalls;
import dev.postcommit.examples.minichat.usage.UsageEvent;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the quota that was reserved for a turn.
 *
 * @param method {@code actual}: by the tokens used; {@code estimated}: what was reserved, as nobody
 *     knows; {@code released}: nothing was used
 * @param creditsMicro what the turn costs
 */
record Settlement(
    State state, String method, long creditsMicro, @Nullable TokenUsage usage, ToolCalls tools) {

  static Settlement of(Turn turn, Ending ending) {
    if (ending instanceof Ending.Completed completed) {
      return actual(turn, State.COMPLETED, completed.usage(), completed.tools());
    }
    if (ending instanceof Ending.Failed failed) {
      return failed.usage() == null
          ? new Settlement(State.FAILED, "released", 0, null, ToolCalls.NONE)
          : actual(turn, State.FAILED, failed.usage(), ToolCalls.NONE);
    }
    @Nullable TokenUsage usage = ((Ending.Aborted) ending).usage();
    return usage == null
        ? new Settlement(State.ABORTED, "estimated", turn.reservedMicro(), null, ToolCalls.NONE)
        : actual(turn, State.ABORTED, usage, ToolCalls.NONE);
  }

  private static Settlement actual(Turn turn, State state, TokenUsage usage, ToolCalls tools) {
    return new Settlement(state, "actual", turn.effectiveModel().costMicro(usage), usage, tools);
  }

  /** The event that tells billing of it; nothing in it comes from the client. */
  UsageEvent event(Turn turn) {
    return new UsageEvent(
        turn.tenantId(),
        turn.userId(),
        turn.chatId(),
        turn.id(),
        turn.requestId(),
        turn.effectiveModel().text(),
        turn.selectedModel().text(),
        state.text(),
        creditsMicro == 0 ? "not_charged" : "charged",
        usage,
        creditsMicro,
        method,
        turn.policyVersion(),
        tools.webSearch(),
        tools.codeInterpreter(),
        tools.fileSearch(),
        turn.readAt(),
        "user",
        turn.dedupeKey(),
        null);
  }
}
