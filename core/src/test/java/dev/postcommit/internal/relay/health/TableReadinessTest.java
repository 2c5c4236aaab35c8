package dev.postcommit.internal.relay.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When a relay's table is checked. */
class TableReadinessTest {
  private final List<String> checks = new ArrayList<>();
  private List<String> found = List.of();
  private long now;

  private final TableReadiness table =
      new TableReadiness(
          () -> {
            checks.add("all");
            return found;
          },
          () -> {
            checks.add("changing");
            return found;
          },
          () -> now);

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  @DisplayName("all of a table is checked once at first, and what may change once a minute")
  void onceAMinute() {
    for (int poll = 0; poll < 130; poll++) {
      assertThat(table.problems()).isEmpty();
      pass(Duration.ofSeconds(1));
    }
    assertThat(checks).containsExactly("all", "changing", "changing");
  }

  @Test
  @DisplayName("a table that does not fit any more is checked until it does")
  void untilItFits() {
    table.problems();
    pass(Duration.ofMinutes(1));
    found = List.of("cached");
    assertThat(table.problems()).containsExactly("cached");
    assertThat(table.problems()).containsExactly("cached");
    found = List.of();
    assertThat(table.problems()).isEmpty();
    assertThat(table.problems()).isEmpty();
    assertThat(checks).containsExactly("all", "changing", "all", "all");
  }

  @Test
  @DisplayName("after an error all of the table is checked")
  void afterAnError() {
    table.problems();
    table.doubt();
    table.problems();
    table.problems();
    assertThat(checks).containsExactly("all", "all");
  }

  @Test
  @DisplayName("after an outage what may have changed is checked, and no more")
  void afterAnOutage() {
    table.problems();
    table.interrupted();
    table.problems();
    table.problems();
    assertThat(checks).containsExactly("all", "changing");
  }

  @Test
  @DisplayName("a check that fails is made again")
  void aCheckThatFails() {
    List<Boolean> asked = new ArrayList<>();
    TableReadiness failing =
        new TableReadiness(
            () -> {
              asked.add(true);
              throw new IllegalStateException("no database");
            },
            List::of,
            () -> now);
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(failing::problems).isInstanceOf(IllegalStateException.class);
    }
    assertThat(asked).hasSize(2);
  }
}
