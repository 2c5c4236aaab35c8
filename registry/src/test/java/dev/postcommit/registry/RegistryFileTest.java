package dev.postcommit.registry;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.RetryPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegistryFileTest {
  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("events.json");
  }

  private EventRegistry load(String text) throws IOException {
    Files.writeString(file, text);
    return EventRegistry.load(file);
  }

  private void refused(String text, String... parts) {
    assertThatThrownBy(() -> load(text))
        .isInstanceOf(InvalidRegistryException.class)
        .hasMessageStartingWith(file + ": ")
        .hasMessageContainingAll(parts);
  }

  private void eventRefused(String fields, String... parts) {
    refused(
        "{\"events\":[{\"type\":\"ok\",\"topic\":\"t\",\"schema\":{}},{" + fields + "}]}", parts);
  }

  @Test
  void everyFieldOfAFileIsRead() throws IOException {
    Files.createDirectory(folder.resolve("schemas"));
    Files.writeString(folder.resolve("schemas/placed.json"), Samples.PLACED_SCHEMA);
    EventRegistry registry =
        load(
            """
            {
              "payloads": "stored-envelope",
              "events": [
                {
                  "type": "order_placed",
                  "topic": "orders",
                  "aggregateType": "order",
                  "payloadClass": "%s",
                  "schema": "schemas/placed.json",
                  "retry": {"maxAttempts": 3, "baseDelay": "1s", "maxDelay": "PT1M"}
                },
                {"type": "order_closed", "topic": "orders", "schema": {"type": "object"},
                 "retry": {"maxAttempts": "unlimited", "baseDelay": "1s", "maxDelay": "2s"}},
                {"type": "order_lost", "topic": "lost", "schema": true}
              ]
            }
            """
                .formatted(Samples.Placed.class.getName()));

    RetryPolicy placed = new RetryPolicy(3, Duration.ofSeconds(1), Duration.ofMinutes(1));
    RetryPolicy closed =
        new RetryPolicy(RetryPolicy.UNLIMITED, Duration.ofSeconds(1), Duration.ofSeconds(2));
    assertThat(registry.payloads()).isEqualTo(PayloadForm.STORED_ENVELOPE);
    assertThat(registry.types())
        .containsExactly(
            new RegisteredEvent(
                "order_placed",
                "orders",
                "order",
                Samples.Placed.class,
                Samples.PLACED_SCHEMA,
                placed),
            new RegisteredEvent(
                "order_closed", "orders", null, null, "{\"type\":\"object\"}", closed),
            new RegisteredEvent("order_lost", "lost", null, null, "true", null));
    assertThat(registry.retryPolicies())
        .isEqualTo(Map.of("order_placed", placed, "order_closed", closed));
    assertThat(registry.violation(Samples.event(Samples.envelope(Samples.ID, "{}"))))
        .contains("the payload breaks its schema at /required: orderId is missing");
  }

  @Test
  void payloadsArePlainUnlessSaidOtherwise() throws IOException {
    String events = "\"events\":[{\"type\":\"a\",\"topic\":\"t\",\"schema\":{}}]}";
    assertThat(load("{" + events).payloads()).isEqualTo(PayloadForm.PLAIN);
    assertThat(load("{\"payloads\":\"plain\"," + events).payloads()).isEqualTo(PayloadForm.PLAIN);
    refused(
        "{\"payloads\":\"stored\"," + events, "payloads is 'stored'", "plain or stored-envelope");
  }

  @Test
  void aFileThatIsMissingOrNoTextIsRefused() throws IOException {
    assertThatThrownBy(() -> EventRegistry.load(file))
        .isInstanceOf(InvalidRegistryException.class)
        .hasMessageStartingWith(file + ": the file is not there")
        .hasMessageContaining("correct the path");
    assertThatThrownBy(() -> EventRegistry.load(folder))
        .isInstanceOf(InvalidRegistryException.class)
        .hasMessageContaining("cannot be read");
    Files.write(file, "{\"é\":1}".getBytes(ISO_8859_1));
    assertThatThrownBy(() -> EventRegistry.load(file)).hasMessageContaining("not text in UTF-8");
  }

  @Test
  void aFileThatIsNotTheExpectedJsonIsRefused() {
    refused("", "holds no JSON object");
    refused("[]", "holds no JSON object");
    refused("{", "not valid JSON (line 1, column");
    refused("{}{}", "not valid JSON");
    refused("{\"events\":[],\"events\":[]}", "not valid JSON", "events");
    refused("{}", "no list of events", "add \"events\"");
    refused("{\"events\":{}}", "no list of events");
    refused("{\"events\":[]}", "no events");
    refused("{\"event\":[]}", "unknown field event; did you mean events?", "events, payloads");
    refused("{\"events\":[1]}", "events[0] is no JSON object");
  }

  @Test
  void aMistakeInAnEventIsRefusedWithItsType() {
    eventRefused("\"topic\":\"t\"", "events[1] has no type");
    eventRefused("\"type\":\" \"", "events[1] has no type");
    eventRefused("\"type\":7", "events[1]: type is no string");
    eventRefused("\"type\":\"a\",\"schema\":{}", "event type a: it has no topic");
    eventRefused("\"type\":\"a\",\"topic\":[]", "event type a: topic is no string");
    eventRefused("\"type\":\"a\",\"topic\":null", "event type a: topic is no string");
    eventRefused("\"type\":\"a\",\"topic\":\"t\"", "event type a: its payload has no type");
    eventRefused(
        "\"type\":\"ok\",\"topic\":\"t\",\"schema\":{}", "event type ok: it is registered twice");
    eventRefused(
        "\"type\":\"a\",\"topik\":\"t\"",
        "event type a: unknown field topik; did you mean topic?",
        "aggregateType, payloadClass, retry, schema, topic, type");
    eventRefused("\"type\":\"a\",\"zzzzzzzzz\":1", "unknown field zzzzzzzzz; there are");
  }

  @Test
  void aMistakeInThePayloadsTypeIsRefused() throws IOException {
    String start = "\"type\":\"a\",\"topic\":\"t\",";
    Files.writeString(folder.resolve("broken.json"), "{\"type\":");
    eventRefused(start + "\"payloadClass\":\"com.example.Nope\"", "event type a: ", "class path");
    eventRefused(start + "\"payloadClass\":\"not a name\"", "event type a: ", "class path");
    eventRefused(start + "\"schema\":\"nope.json\"", "event type a: its schema is not there");
    eventRefused(
        start + "\"schema\":\"broken.json\"", "event type a: its schema is not valid JSON");
    eventRefused(start + "\"schema\":7", "event type a: its schema is neither");
    eventRefused(start + "\"schema\":null", "event type a: its schema is neither");
    eventRefused(start + "\"schema\":{\"type\":1}", "event type a: its schema is not valid: /type");
  }

  @Test
  void aMistakeInARetryPolicyIsRefused() {
    retryRefused("7", "event type a: retry holds no JSON object");
    retryRefused("{\"max\":1}", "event type a: retry: unknown field max");
    for (String attempts : List.of("0", "-1", "1.5", "99999999999", "\"3\"", "null")) {
      retryRefused(
          "{\"maxAttempts\":" + attempts + ",\"baseDelay\":\"1s\",\"maxDelay\":\"1m\"}",
          "event type a: retry: maxAttempts is not a whole number of at least 1");
    }
    retryRefused("{\"baseDelay\":\"1s\",\"maxDelay\":\"1m\"}", "maxAttempts is not a whole number");
    retryRefused("{\"maxAttempts\":3,\"maxDelay\":\"1m\"}", "event type a: retry has no baseDelay");
    retryRefused(
        "{\"maxAttempts\":3,\"baseDelay\":1,\"maxDelay\":\"1m\"}", "baseDelay is no string");
    retryRefused(
        "{\"maxAttempts\":3,\"baseDelay\":\"soon\",\"maxDelay\":\"1m\"}",
        "baseDelay 'soon' is not a duration");
    retryRefused(
        "{\"maxAttempts\":3,\"baseDelay\":\"2s\",\"maxDelay\":\"1s\"}",
        "event type a: retry: maxDelay (PT1S) must not be shorter than baseDelay (PT2S)");
  }

  private void retryRefused(String retry, String... parts) {
    eventRefused("\"type\":\"a\",\"topic\":\"t\",\"schema\":{},\"retry\":" + retry, parts);
  }
}
