package dev.postcommit.examples.minichat.usage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class UsageEventTest {
  private static final UUID ID = UUID.fromString("0195C000-1111-7222-8333-ABCDEF000001");

  private static final UsageEvent EVENT =
      new UsageEvent(
          ID,
          ID,
          ID,
          ID,
          ID,
          "standard",
          "premium",
          "completed",
          "charged",
          new TokenUsage(1, 2, 3, 4, 5),
          900,
          "actual",
          7,
          1,
          2,
          3,
          Instant.parse("2026-11-01T10:00:00.123456Z"),
          "user",
          DedupeKey.of(ID, ID, ID),
          "thread_summary");

  /** R7, R55: the names of the contract, all of them and no other. */
  @Test
  void itsFieldsAreThoseOfTheContract() throws IOException {
    assertThat(new ObjectMapper().readTree(EVENT.toJson()))
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    {"tenant_id": "0195c000-1111-7222-8333-abcdef000001",
                     "user_id": "0195c000-1111-7222-8333-abcdef000001",
                     "chat_id": "0195c000-1111-7222-8333-abcdef000001",
                     "turn_id": "0195c000-1111-7222-8333-abcdef000001",
                     "request_id": "0195c000-1111-7222-8333-abcdef000001",
                     "effective_model": "standard", "selected_model": "premium",
                     "terminal_state": "completed", "billing_outcome": "charged",
                     "usage": {"input_tokens": 1, "output_tokens": 2, "cache_read_input_tokens": 3,
                       "cache_write_input_tokens": 4, "reasoning_tokens": 5},
                     "actual_credits_micro": 900, "settlement_method": "actual",
                     "policy_version_applied": 7, "web_search_calls": 1,
                     "code_interpreter_calls": 2, "file_search_calls": 3,
                     "timestamp": "2026-11-01T10:00:00.123456Z", "requester_type": "user",
                     "dedupe_key": "0195c000111172228333abcdef000001/\
                    0195c000111172228333abcdef000001/0195c000111172228333abcdef000001",
                     "system_task_type": "thread_summary"}"""));
  }

  @Test
  void itIsReadAsItWasWritten() throws IOException {
    assertThat(UsageEvent.fromJson(EVENT.toJson().getBytes(UTF_8))).isEqualTo(EVENT);
  }

  @Test
  void whatIsNoUsageEventIsRefused() {
    for (String text : new String[] {"", "{", "[]", "{}"}) {
      assertThatThrownBy(() -> UsageEvent.fromJson(text.getBytes(UTF_8)))
          .as(text)
          .isInstanceOf(IOException.class);
    }
    String without = EVENT.toJson().replace("\"actual_credits_micro\":900,", "");
    assertThatThrownBy(() -> UsageEvent.fromJson(without.getBytes(UTF_8)))
        .hasMessageContaining("actual_credits_micro");
    assertThatThrownBy(() -> TokenUsage.of(-1, 0)).hasMessageContaining("negative");
    assertThatThrownBy(() -> new ToolCalls(0, -1, 0)).hasMessageContaining("negative");
  }
}
