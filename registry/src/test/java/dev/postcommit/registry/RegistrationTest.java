package dev.postcommit.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.RetryPolicy;
import java.time.Duration;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RegistrationTest {
  private static void refused(ThrowingCallable call, String... parts) {
    assertThatThrownBy(call)
        .isInstanceOf(InvalidRegistryException.class)
        .hasMessageContainingAll(parts);
  }

  private static void schemaRefused(String schema, String... parts) {
    refused(() -> Samples.ofSchema(schema), parts);
    refused(() -> Samples.ofSchema(schema), "event type order_placed: ");
  }

  @Test
  void whatIsRegisteredCanBeSeenInItsOrder() {
    RegisteredEvent one = Samples.contract().schema("{}").build();
    RegisteredEvent two =
        RegisteredEvent.builder("a").topic("t").payload(Samples.Item.class).build();
    EventRegistry registry = EventRegistry.builder().event(one).event(two).build();

    assertThat(registry.types()).containsExactly(one, two);
    assertThat(registry.payloads()).isEqualTo(PayloadForm.PLAIN);
    assertThat(one)
        .isEqualTo(new RegisteredEvent("order_placed", "orders", "order", null, "{}", null));
    assertThat(two).isEqualTo(new RegisteredEvent("a", "t", null, Samples.Item.class, null, null));
  }

  @Test
  @DisplayName("R34, R35: a type may have a retry policy of its own")
  void aTypeMayHaveARetryPolicyOfItsOwn() {
    RetryPolicy policy = new RetryPolicy(3, Duration.ofSeconds(1), Duration.ofMinutes(1), 0);
    EventRegistry registry =
        EventRegistry.builder()
            .event(Samples.contract().schema("{}").retry(policy).build())
            .event(RegisteredEvent.builder("a").topic("t").schema("{}").build())
            .build();

    assertThat(registry.retryPolicies()).isEqualTo(Map.of("order_placed", policy));
  }

  @Test
  void incompleteContractsAreRefused() {
    refused(
        () -> RegisteredEvent.builder(" ").topic("t").schema("{}").build(), "must not be blank");
    refused(() -> RegisteredEvent.builder("a").schema("{}").build(), "event type a: ", "no topic");
    refused(() -> RegisteredEvent.builder("a").topic("").schema("{}").build(), "no topic");
    refused(() -> Samples.contract().aggregateType("").schema("{}").build(), "is blank");
    refused(() -> Samples.contract().build(), "event type order_placed: ", "has no type");
  }

  @Test
  void anEmptyRegistryAndATypeRegisteredTwiceAreRefused() {
    RegisteredEvent event = Samples.contract().schema("{}").build();

    refused(() -> EventRegistry.builder().build(), "no events");
    refused(
        () -> EventRegistry.builder().event(event).event(event).build(),
        "event type order_placed: it is registered twice");
  }

  @Test
  void aClassThatCannotBeDecodedIntoIsRefused() {
    refused(
        () -> Samples.ofClass(Samples.Unbuildable.class),
        "event type order_placed: its payload class",
        "Unbuildable cannot be decoded from JSON; name a record");
  }

  @Test
  void schemasThatAreNoneAreRefused() {
    schemaRefused("{", "not valid JSON (line 1, column");
    schemaRefused("", "neither a JSON object");
    schemaRefused("[]", "neither a JSON object");
    schemaRefused("{\"type\":\"object\",\"type\":\"array\"}", "not valid JSON");
    schemaRefused("{\"type\":\"strng\"}", "its schema is not valid: /type: ");
    schemaRefused("{\"properties\":{\"a\":{\"pattern\":\"(\"}}}", "/properties/a/pattern");
    schemaRefused("{\"$schema\":\"https://example.com/x\"}", "its $schema is not known");
    schemaRefused("{\"$schema\":7}", "its $schema is not known");
    schemaRefused("{\"$ref\":\"#\"}", "refers to itself");
  }

  @Test
  void referencesOutOfTheSchemaAreRefusedAndNeverFollowed() {
    for (String reference :
        new String[] {"other.json", "http://localhost:1/x.json", "file:///x.json", "#/no"}) {
      schemaRefused(
          "{\"properties\":{\"a\":{\"items\":{\"$ref\":\"" + reference + "\"}}}}",
          "references must lead into the schema itself");
    }
  }

  @Test
  void olderDraftsAreUnderstood() {
    EventRegistry registry =
        Samples.ofSchema(
            "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"definitions\":{\"x\":"
                + "{\"format\":\"uuid\"}},\"properties\":{\"a\":{\"$ref\":\"#/definitions/x\"}}}");

    assertThat(registry.violation(Samples.event("{\"a\":\"" + Samples.ID + "\"}"))).isEmpty();
    assertThat(registry.violation(Samples.event("{\"a\":\"x\"}"))).isPresent();
  }
}
