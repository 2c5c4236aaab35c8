package dev.postcommit.examples.packfinderz.compliance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("R47: the variables of PackFinderz' consumers")
class ConsumerSettingsTest {

  private static ConsumerSettings read(String... namesAndValues) {
    Map<String, String> environment = new HashMap<>();
    environment.put("PACKFINDERZ_PUBSUB_DOMAIN_SUBSCRIPTION", "compliance");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      environment.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return ConsumerSettings.read(environment);
  }

  @Test
  void theSubscriptionMustBeNamed() {
    assertThat(read().subscription()).isEqualTo("compliance");
    assertThatThrownBy(() -> ConsumerSettings.read(Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "PACKFINDERZ_PUBSUB_DOMAIN_SUBSCRIPTION is not set; name the subscription to read");
  }

  @Test
  void marksAreKeptForThirtyDaysUnlessSet() {
    assertThat(read().ttl()).isEqualTo(Duration.ofDays(30));
    assertThat(read("PACKFINDERZ_EVENTING_IDEMPOTENCY_TTL", "").ttl())
        .isEqualTo(Duration.ofDays(30));
  }

  @Test
  void theEventingNameGoesBeforeTheHours() {
    assertThat(read("PACKFINDERZ_OUTBOX_IDEMPOTENCY_TTL_HOURS", "168").ttl())
        .isEqualTo(Duration.ofDays(7));
    assertThat(
            read(
                    "PACKFINDERZ_OUTBOX_IDEMPOTENCY_TTL_HOURS", "168",
                    "PACKFINDERZ_EVENTING_IDEMPOTENCY_TTL", "720h")
                .ttl())
        .isEqualTo(Duration.ofDays(30));
    assertThat(read("PACKFINDERZ_EVENTING_IDEMPOTENCY_TTL", "36h30m").ttl())
        .isEqualTo(Duration.ofMinutes(36 * 60 + 30));
  }

  @Test
  void aWrongTimeIsRefusedByTheNameOfItsVariable() {
    assertThatThrownBy(() -> read("PACKFINDERZ_EVENTING_IDEMPOTENCY_TTL", "a month"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "PACKFINDERZ_EVENTING_IDEMPOTENCY_TTL: 'a month' is not a time such as 720h or 36h30m");
    assertThatThrownBy(() -> read("PACKFINDERZ_EVENTING_IDEMPOTENCY_TTL", "-720h"))
        .hasMessageContaining("'-720h' is too short");
    assertThatThrownBy(() -> read("PACKFINDERZ_OUTBOX_IDEMPOTENCY_TTL_HOURS", "168h"))
        .hasMessage(
            "PACKFINDERZ_OUTBOX_IDEMPOTENCY_TTL_HOURS: '168h' is not a whole number of hours");
  }
}
