package dev.postcommit.examples.polyshop.common;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.InvalidEventException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** R13, R50, R51, R56: what an event's row holds, and what it belongs to. */
class DomainEventFactoryTest {
  private static final UUID ID = UUID.fromString("0197a1b2-0000-4000-8000-000000000001");
  private static final UUID TRACE = UUID.fromString("4bf92f35-77b3-4da6-a3ce-929d0e0e4736");

  private final DomainEventFactory events = new DomainEventFactory();

  record Priced(UUID productId, BigDecimal price, Instant createdAt) {}

  @Test
  void theRowIsTheDataWithoutAnEnvelope() {
    OutboxEvent event =
        events.create(
            "product.product.created.v1",
            ID,
            new Priced(ID, new BigDecimal("10.00"), Instant.parse("2026-03-04T05:06:07Z")));

    assertThat(event.getId().version()).isEqualTo(7);
    assertThat(event.isNew()).isTrue();
    assertThat(event.aggregateId()).isEqualTo(ID.toString());
    assertThat(event.eventType()).isEqualTo("product.product.created.v1");
    assertThat(event.version()).isEqualTo(1);
    assertThat(event.payload())
        .isEqualTo(
            "{\"productId\":\""
                + ID
                + "\",\"price\":10.00,\"createdAt\":\"2026-03-04T05:06:07Z\"}");
    assertThat(event.processed()).isFalse();
    assertThat(event.processedAt()).isNull();
    assertThat(event.errorMessage()).isNull();
  }

  @Test
  void theVersionIsTheEndOfTheType() {
    assertThat(events.create("auth.user.role-updated.v12", ID, Map.of()).version()).isEqualTo(12);
  }

  @Test
  void anEventIsOfTheTraceThatIsBeingHandledAndSoIsTheLog() {
    TraceContext context = TraceContext.begin(TRACE, ID.toString(), "user-1", "key-1");
    TraceContext.Scope scope = context.enter();
    try {
      assertThat(events.create("a.b.c.v1", ID, Map.of()).headers())
          .containsEntry("traceId", TRACE.toString())
          .containsEntry("correlationId", ID.toString())
          .containsEntry("userId", "user-1")
          .containsEntry("idempotencyKey", "key-1")
          .hasEntrySatisfying(
              "traceparent",
              value ->
                  assertThat(value).matches("00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-01"));
      assertThat(MDC.get("traceId")).isEqualTo(TRACE.toString());
      assertThat(MDC.get("correlationId")).isEqualTo(ID.toString());
    } finally {
      scope.close();
    }

    assertThat(MDC.get("traceId")).isNull();
    assertThat(events.create("a.b.c.v1", ID, Map.of()).headers())
        .containsOnlyKeys("traceId", "correlationId", "traceparent")
        .doesNotContainEntry("traceId", TRACE.toString());
  }

  @Test
  void whatCanBeNoEventIsRefused() {
    assertThatThrownBy(() -> events.create("OrderPlaced", ID, Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("domain.entity.event.v1")
        .hasMessageContaining("OrderPlaced");
    assertThatThrownBy(() -> events.create("a.b.c.v1", ID, new Object()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a.b.c.v1");
    TraceContext.Scope scope = TraceContext.begin(TRACE, null, "u".repeat(5_000), null).enter();
    try {
      assertThatThrownBy(() -> events.create("a.b.c.v1", ID, Map.of()))
          .isInstanceOf(InvalidEventException.class);
    } finally {
      scope.close();
    }
  }
}
