package dev.postcommit.examples.minichat.chat;

import dev.postcommit.examples.minichat.usage.DedupeKey;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;

/**
 * A question and its answer, as the tables tell of it.
 *
 * @param reservedMicro what was reserved of the user's quota when it began
 * @param policyVersion the version of the price list and limits that it began under
 * @param readAt when this was read, by the database's clock
 */
public record Turn(
    UUID id,
    UUID chatId,
    UUID tenantId,
    UUID userId,
    UUID requestId,
    Model selectedModel,
    Model effectiveModel,
    long policyVersion,
    long reservedMicro,
    State state,
    Instant readAt) {

  /** Where a turn stands; all states but the first are final. */
  public enum State {
    /** It runs, and quota is reserved for it. */
    RESERVED,
    /** Its answer is complete. */
    COMPLETED,
    /** The provider failed. */
    FAILED,
    /** It was given up. */
    ABORTED;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    static State of(String text) {
      return valueOf(text.toUpperCase(Locale.ROOT));
    }
  }

  /** The key of its usage event. */
  public String dedupeKey() {
    return DedupeKey.of(tenantId, id, requestId);
  }
}
