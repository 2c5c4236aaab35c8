package dev.postcommit.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.PostcommitException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StoredEnvelopeTest {
  private static final String VERSION = "\"version\":1";
  private static final String EVENT_ID = "\"eventId\":\"" + Samples.ID + "\"";
  private static final String OCCURRED_AT = "\"occurredAt\":\"2026-03-04T05:06:06.5+01:00\"";
  private static final String DATA = "\"data\":{\"secret\":1}";

  private static String envelope(String... fields) {
    return "{" + String.join(",", fields) + "}";
  }

  private static void accepted(String... fields) {
    String payload = envelope(fields);
    assertThat(Samples.body(Envelope.stored(), payload)).isEqualTo(payload);
  }

  private static void refused(String field, String... fields) {
    assertThatThrownBy(() -> Samples.body(Envelope.stored(), envelope(fields)))
        .isInstanceOf(PostcommitException.class)
        .hasMessageContaining("the payload is not a stored envelope: " + field + " is not ")
        .hasMessageContaining("DomainEvents.emit")
        .hasMessageNotContaining("secret");
  }

  @Test
  @DisplayName("R31: fields may stand in any order, and there may be more of them")
  void fieldsMayStandInAnyOrder() {
    accepted(VERSION, EVENT_ID, OCCURRED_AT, DATA);
    accepted(DATA, OCCURRED_AT, EVENT_ID, VERSION);
    accepted("\"data\":[]", OCCURRED_AT, "\"more\":{\"eventId\":1}", EVENT_ID, "\"version\":7");
    accepted(VERSION, EVENT_ID, OCCURRED_AT, "\"data\":{}");
  }

  @Test
  @DisplayName("R31: the event id is the row id")
  void theEventIdIsTheRowId() {
    refused("eventId", VERSION, OCCURRED_AT, DATA);
    refused("eventId", VERSION, "\"eventId\":\"secret\"", OCCURRED_AT, DATA);
    refused("eventId", VERSION, "\"eventId\":null", OCCURRED_AT, DATA);
    refused(
        "eventId",
        VERSION,
        EVENT_ID.toUpperCase(Locale.ROOT).replace("EVENTID", "eventId"),
        OCCURRED_AT,
        DATA);
  }

  @Test
  void everyFieldMustBeThereAndOfItsKind() {
    refused("version", EVENT_ID, OCCURRED_AT, DATA);
    for (String value : List.of("0", "-1", "1.0", "\"1\"", "null", "99999999999999999999")) {
      refused("version", "\"version\":" + value, EVENT_ID, OCCURRED_AT, DATA);
    }
    refused("occurredAt", VERSION, EVENT_ID, DATA);
    for (String value : List.of("1", "null", "\"\"", "\"secret\"", "\"2026-03-04T05:06:06\"")) {
      refused("occurredAt", VERSION, EVENT_ID, "\"occurredAt\":" + value, DATA);
    }
    refused("data", VERSION, EVENT_ID, OCCURRED_AT);
    refused("data", VERSION, EVENT_ID, OCCURRED_AT, "\"data\":null");
  }

  @Test
  void anActorIsNamedByItsUserId() {
    for (String actor :
        List.of(
            "null",
            "{\"userId\":\"u\"}",
            "{\"role\":null,\"storeId\":\"s\",\"userId\":\"u\",\"more\":[{}]}")) {
      accepted("\"actor\":" + actor, VERSION, EVENT_ID, OCCURRED_AT, DATA);
    }
    for (String actor :
        List.of(
            "\"secret\"",
            "[]",
            "{}",
            "{\"role\":\"secret\"}",
            "{\"userId\":1}",
            "{\"userId\":{}}",
            "{\"userId\":\"u\",\"role\":1}",
            "{\"userId\":\"u\",\"storeId\":{}}")) {
      refused("actor", "\"actor\":" + actor, VERSION, EVENT_ID, OCCURRED_AT, DATA);
    }
  }

  @Test
  void otherJsonIsNoStoredEnvelope() {
    for (String payload : List.of("{}", "[]", "null", "1", "\"secret\"")) {
      assertThatThrownBy(() -> Samples.body(Envelope.stored(), payload))
          .isInstanceOf(PostcommitException.class)
          .hasMessageContaining("not a stored envelope")
          .hasMessageNotContaining("secret");
    }
    assertThatThrownBy(
            () ->
                Samples.body(Envelope.stored(), envelope(VERSION, EVENT_ID, OCCURRED_AT, DATA) + 1))
        .hasMessageContaining("not one JSON value");
  }
}
