package dev.postcommit.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.layout.Column;
import dev.postcommit.layout.Role;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.OutboxAdmin.DeadSummary;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Payloads that another program wrote, and that are too large for a relay's memory. */
class LargePayloadIT {
  private static final int SIZE = 40_000_000;

  /** The heap of a container of 256 MB. */
  private static final String[] HEAP = {
    "-Xmx85m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"
  };

  @Nested
  class Native extends Large {
    Native() {
      super("NATIVE", Samples.NATIVE);
    }
  }

  @Nested
  class Log extends Large {
    Log() {
      super("LOG", Samples.LOG);
    }
  }

  @Nested
  class Modkit extends Large {
    Modkit() {
      super("MODKIT", Samples.MODKIT);
    }
  }

  @Nested
  class PolyShop extends Large {
    PolyShop() {
      super("POLYSHOP", Samples.POLYSHOP);
    }
  }

  abstract static class Large extends LayoutFixture {
    private final String name;

    Large(String name, LayoutSample sample) {
      super(sample);
      this.name = name;
    }

    @Test
    @DisplayName("R48: an event that does not fit into memory is dead and says why; others go on")
    void anEventThatDoesNotFitIsDead() {
      String first = enqueue("a", 1).get(0);
      String large = enqueue("a", 1).get(0);
      String last = enqueue("a", 1).get(0);
      enlarge(large);

      try (Processes processes = Processes.create()) {
        ChildProcess relay =
            processes
                .java(SmallRelay.class)
                .arguments(database().jdbcUrl(), database().username(), name)
                .jvmOptions(HEAP)
                .start();
        awaitUntil(() -> !relay.alive() || admin().status().pending() == 0);
        assertThat(relay.alive()).as(relay.output()).isTrue();
        assertThat(relay.output().lines().filter(line -> line.startsWith("delivered")))
            .containsExactly("delivered " + first, "delivered " + last);
      }

      List<DeadSummary> dead = admin().dead(DeadFilter.all(), 10);
      assertThat(dead).extracting(DeadSummary::id).containsExactly(large);
      assertThat(dead.get(0).error())
          .contains("the payload has " + SIZE + " bytes", "reads up to 2", "replay the event");
    }

    private void enlarge(String id) {
      Column payload = layout().required(Role.PAYLOAD);
      String text = "'\"' || repeat('x', " + (SIZE - 2) + ") || '\"'";
      String value =
          payload.isBinary()
              ? "convert_to(" + text + ", 'UTF8')"
              : "CAST(" + text + " AS " + payload.type() + ")";
      execute(
          "UPDATE %s SET %s = %s WHERE %s = '%s'"
              .formatted(layout().table().sql(), payload.sql(), value, layout().sql(Role.ID), id));
    }
  }
}
