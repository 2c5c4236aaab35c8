package dev.postcommit.consumer.envelope;

import static dev.postcommit.consumer.Samples.CREATED;
import static dev.postcommit.consumer.Samples.ID;
import static dev.postcommit.consumer.Samples.ODD_VALUES;
import static dev.postcommit.consumer.Samples.TYPE;
import static dev.postcommit.consumer.Samples.message;
import static dev.postcommit.consumer.Samples.sent;
import static dev.postcommit.consumer.Samples.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.consumer.message.ReceivedMessage;
import dev.postcommit.envelope.Envelope;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What readers take out of messages is what envelopes put in (R23, R24, R31-R33). */
class EnvelopeReaderTest {
  private static final Map<String, String> HEADERS = Map.of("event_id", ID, "event_type", TYPE);

  private final EnvelopeReader detect = EnvelopeReader.detect();

  /** R23. */
  @Test
  void rawDataIsTheBody() {
    for (String payload : ODD_VALUES) {
      expectData(EnvelopeReader.raw(), sent(Envelope.raw(), payload), payload);
    }
    expectData(EnvelopeReader.raw(), sent(Envelope.raw(), " not { JSON"), " not { JSON");
    expectData(EnvelopeReader.raw(), sent(Envelope.raw(), ""), "");
    expectData(EnvelopeReader.raw(), sent(Envelope.raw(), "null"), "null");
  }

  /** R23. */
  @Test
  void headersTellWhatARawMessageDoesNot() {
    ReceivedEvent<byte[]> event = detect.read(sent(Envelope.raw(), "{}"));

    assertThat(event.version()).isNull();
    assertThat(event.source()).isNull();
    assertThat(event.occurredAt()).isEqualTo(CREATED);
    assertThat(event.aggregateType()).isEqualTo("order");
    assertThat(event.aggregateId()).isEqualTo("42");
    assertThat(event.key()).isEqualTo("42");
    assertThat(event.metadata()).isEmpty();
  }

  /** R24. */
  @Test
  void messageIdIsTakenOutAgain() {
    for (String payload : ODD_VALUES) {
      expectData(EnvelopeReader.messageId(), sent(Envelope.messageId(), payload), payload);
    }
    expectData(
        EnvelopeReader.messageId(),
        sent(Envelope.messageId(), "{\"payload\":{}}"),
        "{\"payload\":{}}");
    expectData(
        EnvelopeReader.messageId(),
        sent(Envelope.messageId(), "{\"payload\":1,\"more\":2}"),
        "{\"payload\":1,\"more\":2}");
  }

  /** R24: the two messages are equal, so one of the events must come out otherwise. */
  @Test
  void aPayloadThatStandsAloneIsTheData() {
    expectData(EnvelopeReader.messageId(), sent(Envelope.messageId(), "{\"payload\":1}"), "1");
  }

  /** R24. */
  @Test
  void messageIdMayStandAnywhere() {
    String id = "\"messageId\" : \"" + ID + "\"";
    for (Map.Entry<String, String> sample :
        Map.of(
                "{ \"a\": 1 , " + id + " , \"b\": 2 }", "{ \"a\": 1 , \"b\": 2 }",
                "{ \"a\": 1 ,\n" + id + "\n}", "{ \"a\": 1}",
                "{ " + id + "\n}", "{}",
                "{\"payload\":1," + id + "}", "{\"payload\":1}")
            .entrySet()) {
      expectData(EnvelopeReader.messageId(), message(HEADERS, sample.getKey()), sample.getValue());
    }
  }

  /** R32. */
  @Test
  void builtEnvelopesAreUnwrapped() {
    for (String payload : ODD_VALUES) {
      expectData(EnvelopeReader.built(), sent(Envelope.built("order-service"), payload), payload);
    }
  }

  /** R32. */
  @Test
  void whiteSpaceAroundDataIsNotPartOfIt() {
    expectData(
        EnvelopeReader.built(), sent(Envelope.built("s"), " \n{ \"a\" : 1 }\t"), "{ \"a\" : 1 }");
  }

  /** R32: the services in Node and Python send no headers. */
  @Test
  void builtEnvelopesNeedNoHeaders() {
    byte[] body = sent(Envelope.built("order-service"), "{\"a\":1}", Map.of("userId", "u")).body();

    ReceivedEvent<byte[]> event = detect.read(new ReceivedMessage("t", null, Map.of(), body));

    assertThat(event.id()).isEqualTo(ID);
    assertThat(event.type()).isEqualTo(TYPE);
    assertThat(event.version()).isEqualTo(3);
    assertThat(event.source()).isEqualTo("order-service");
    assertThat(event.occurredAt()).isEqualTo(CREATED);
    assertThat(event.aggregateType()).isNull();
    assertThat(event.metadata())
        .containsExactly(
            Map.entry("traceId", ID),
            Map.entry("correlationId", ID),
            Map.entry("idempotencyKey", "order-42/placed"),
            Map.entry("userId", "u"));
    assertThat(text(event.data())).isEqualTo("{\"a\":1}");
  }

  /** R31. */
  @Test
  void storedEnvelopesAreUnwrapped() {
    for (String data : ODD_VALUES) {
      String payload =
          """
          {"data": %s, "actor": {"role": "admin", "userId": "u1", "storeId": "s1"}, "eventId": "%s",
           "version": 2, "occurredAt": "2026-03-04T05:06:06.5+01:00"}"""
              .formatted(data, ID);
      ReceivedMessage message = sent(Envelope.stored(), payload);
      expectData(EnvelopeReader.stored(), message, data);

      ReceivedEvent<byte[]> event = detect.read(message);
      assertThat(event.version()).isEqualTo(2);
      assertThat(event.occurredAt()).isEqualTo(Instant.parse("2026-03-04T04:06:06.5Z"));
      assertThat(event.metadata())
          .isEqualTo(Map.of("userId", "u1", "storeId", "s1", "role", "admin"));
      assertThat(event.aggregateId()).isEqualTo("42");
    }
  }

  @Test
  void anEnvelopeOfAnotherEventIsTheDataOfThisOne() {
    String other = text(sent(Envelope.built("s"), "1").body());

    ReceivedEvent<byte[]> event =
        detect.read(message(Map.of("event_id", "mine", "event_type", "t"), other));

    assertThat(event.id()).isEqualTo("mine");
    assertThat(text(event.data())).isEqualTo(other);
    String nobodys = other.replace(ID, " ");
    assertThat(text(detect.read(message(HEADERS, nobodys)).data())).isEqualTo(nobodys);
  }

  @Test
  void anExactReaderRefusesTheIdOfAnotherEvent() {
    String body = text(sent(Envelope.built("s"), "1").body());

    expectFailure(
        EnvelopeReader.built(),
        message(Map.of("event_id", "mine"), body),
        "eventId is not the id of the header event_id");
  }

  @Test
  void timesAreReadInEveryCommonForm() {
    for (Map.Entry<String, String> sample :
        Map.of(
                "2026-03-04T05:06:07", "2026-03-04T05:06:07Z",
                "2026-03-04T05:06:07.123456", "2026-03-04T05:06:07.123456Z",
                "2026-03-04T05:06:07.123456+00:00", "2026-03-04T05:06:07.123456Z",
                "2026-03-04T06:06:07+01:00", "2026-03-04T05:06:07Z",
                "2026-03-04T05:06Z", "2026-03-04T05:06:00Z",
                "2026-03-04T05:06:07.1Z", "2026-03-04T05:06:07.1Z")
            .entrySet()) {
      String fields = "\"timestamp\":\"" + sample.getKey() + "\",\"data\":1";
      assertThat(detect.read(message(Map.of(), built(fields))).occurredAt())
          .as(sample.getKey())
          .isEqualTo(Instant.parse(sample.getValue()));
    }
  }

  @Test
  void whatIsMissingIsNamed() {
    expectFailure(
        detect, message(Map.of(), "{}"), "the headers event_id and event_type are missing");
    expectFailure(
        detect, message(Map.of("event_id", "1"), "x"), "the header event_type is missing");
    expectFailure(
        detect, message(Map.of("event_type", "1"), "1"), "the header event_id is missing");
    expectFailure(
        detect,
        message(Map.of("event_id", " ", "event_type", "t"), "1"),
        "the header event_id is missing");
    expectFailure(
        detect,
        message(
            Map.of("event_id", "1"),
            "{\"eventId\":\"1\",\"data\":1,\"occurredAt\":\"x\",\"version\":1}"),
        "the header event_type is missing");
    expectFailure(
        detect,
        message(Map.of("event_id", "1"), "{\"messageId\":\"1\"}"),
        "the header event_type is missing");
    expectFailure(
        EnvelopeReader.messageId(), message(HEADERS, "{\"a\":1}"), "messageId is missing");
    expectFailure(
        EnvelopeReader.messageId(),
        message(Map.of(), "{\"messageId\":\"1\"}"),
        "the header event_type is missing");
    for (EnvelopeReader reader :
        List.of(detect, EnvelopeReader.raw(), EnvelopeReader.cloudEvents())) {
      expectFailure(
          reader, new ReceivedMessage("t", null, HEADERS, null), "the message has no body");
    }
  }

  @Test
  void whatIsWrongIsNamedAndNotShown() {
    String time = "\"timestamp\":\"2026-03-04T05:06:07Z\",";
    for (Map.Entry<String, String> sample :
        Map.ofEntries(
                Map.entry(time + "\"data\":null", "data is missing"),
                Map.entry(time + "\"data\":1,\"data\":2", "data is there more than once"),
                Map.entry(time + "\"data\":1,\"version\":0", "version is not a whole number"),
                Map.entry(time + "\"data\":1,\"version\":1.5", "version is not a whole number"),
                Map.entry(time + "\"data\":1,\"version\":2147483648", "version is not a whole"),
                Map.entry(time + "\"data\":1,\"version\":\"secret\"", "version is not a whole"),
                Map.entry(time + "\"data\":1,\"source\":{}", "source is not a string"),
                Map.entry(time + "\"data\":1,\"metadata\":[]", "metadata is not an object"),
                Map.entry("\"data\":1,\"timestamp\":\"secret\"", "timestamp is not a time"),
                Map.entry("\"data\":1,\"timestamp\":17", "timestamp is not a string"))
            .entrySet()) {
      expectFailure(detect, message(Map.of(), built(sample.getKey())), sample.getValue());
    }
    expectFailure(
        detect,
        message(Map.of(), "{\"eventId\":\" \",\"eventType\":\"t\",\"timestamp\":\"x\",\"data\":1}"),
        "eventId is blank");
    expectFailure(
        detect,
        message(Map.of("event_id", "1", "event_type", "t", "created_at", "secret"), "1"),
        "the header created_at is not a time");
  }

  @Test
  void whatIsNotOneJsonObjectIsNoEnvelope() {
    String good = built("\"timestamp\":\"2026-03-04T05:06:07Z\",\"data\":1");
    String deep = good.replace(":1}", ":" + "[".repeat(5000) + "]".repeat(5000) + "}");
    for (String body :
        List.of(good + " secret", good + good, good.replace("}", ""), deep, "[1]", "")) {
      expectFailure(EnvelopeReader.built(), message(Map.of(), body), "the body is not");
      expectFailure(detect, message(Map.of(), body), "its body is no envelope, nor a JSON object");
      assertThat(text(detect.read(message(HEADERS, body)).data())).isEqualTo(body);
    }
  }

  private void expectData(EnvelopeReader exact, ReceivedMessage message, String data) {
    for (EnvelopeReader reader : List.of(exact, detect)) {
      ReceivedEvent<byte[]> event = reader.read(message);
      assertThat(event.id()).isEqualTo(ID);
      assertThat(event.type()).isEqualTo(TYPE);
      assertThat(text(event.data())).isEqualTo(data);
      assertThat(event.message()).isSameAs(message);
    }
  }

  private static String built(String rest) {
    return "{\"eventId\":\"%s\",\"eventType\":\"%s\",%s}".formatted(ID, TYPE, rest);
  }

  private static void expectFailure(EnvelopeReader reader, ReceivedMessage message, String text) {
    assertThatThrownBy(() -> reader.read(message))
        .isInstanceOf(PermanentFailureException.class)
        .hasMessageContaining(text)
        .hasMessageNotContaining("secret");
  }
}
