package dev.postcommit.examples.minichat.usage;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.io.IOException;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a turn has used, with all that billing needs to know. Its JSON has these fields in snake
 * case; those that are null are left out.
 */
public record UsageEvent(
    UUID tenantId,
    @Nullable UUID userId,
    UUID chatId,
    @Nullable UUID turnId,
    UUID requestId,
    String effectiveModel,
    String selectedModel,
    String terminalState,
    String billingOutcome,
    @Nullable TokenUsage usage,
    long actualCreditsMicro,
    String settlementMethod,
    long policyVersionApplied,
    int webSearchCalls,
    int codeInterpreterCalls,
    int fileSearchCalls,
    Instant timestamp,
    String requesterType,
    @Nullable String dedupeKey,
    @Nullable String systemTaskType) {

  /** The namespace under which Mini Chat writes into the outbox. */
  public static final String NAMESPACE = "mini-chat";

  /** The topic of usage events; no other module has one of this name. */
  public static final String TOPIC = "mini-chat.usage";

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  /** Refuses an event that lacks a field. */
  public UsageEvent {
    Objects.requireNonNull(tenantId, "tenant_id");
    Objects.requireNonNull(chatId, "chat_id");
    Objects.requireNonNull(requestId, "request_id");
    Objects.requireNonNull(effectiveModel, "effective_model");
    Objects.requireNonNull(selectedModel, "selected_model");
    Objects.requireNonNull(terminalState, "terminal_state");
    Objects.requireNonNull(billingOutcome, "billing_outcome");
    Objects.requireNonNull(settlementMethod, "settlement_method");
    Objects.requireNonNull(timestamp, "timestamp");
    Objects.requireNonNull(requesterType, "requester_type");
  }

  /** The event as JSON text. */
  public String toJson() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a usage event that is no JSON", e);
    }
  }

  /**
   * The event that JSON text tells of.
   *
   * @throws IOException if it is no usage event
   */
  public static UsageEvent fromJson(byte[] json) throws IOException {
    return JSON.readValue(json, UsageEvent.class);
  }
}
