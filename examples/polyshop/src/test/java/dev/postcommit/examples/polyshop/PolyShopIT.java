package dev.postcommit.examples.polyshop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/**
 * R56, R13, R14, R26, R32, R39, R40, R43, R50, R51: the services in Java, as processes with
 * databases of their own. What is checked is what {@link
 * dev.postcommit.examples.polyshop.audit.Audit} checks.
 */
class PolyShopIT {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void ordersAreReservedOnceAndTracedThoughInventoryIsKilledInTheMiddle() {
    assertThat(run("--orders", "24", "--kill", "inventory")).as(this::output).isZero();

    assertThat(output())
        .containsPattern("inventory-service was killed after \\d+ orders")
        .contains("order.order.placed.v1", "inventory.stock.reserved.v1")
        .contains("not checked, because it did not run: payment-service, notification-service")
        .containsPattern(
            "verified: 24 orders \\(19 reserved, 3 cancelled, 2 dead-lettered\\); \\d+ events"
                + " delivered in order, \\d+ duplicates without effect");
  }

  private int run(String... args) {
    return Main.run(new PrintStream(out, true, StandardCharsets.UTF_8), args);
  }

  private String output() {
    return out.toString(StandardCharsets.UTF_8);
  }
}
