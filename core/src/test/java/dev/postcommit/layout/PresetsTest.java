package dev.postcommit.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PresetsTest {
  private static final TableName OTHER = TableName.of("Shop.events");

  @Test
  void everyPresetHasItsNameATableAndMigrations() {
    assertThat(Layout.presets()).startsWith("native", "log").hasSizeGreaterThan(2);
    for (String name : Layout.presets()) {
      Layout layout = Layout.preset(name);
      assertThat(layout.name()).isEqualTo(name);
      assertThat(layout.isPreset()).isTrue();
      assertThat(PresetsTest.class.getResource("/" + layout.migrations() + "/V1__outbox.sql"))
          .as(name)
          .isNotNull();
      assertThat(Layout.preset(name, OTHER).table()).isEqualTo(OTHER);
    }
  }

  @Test
  void ourOwnTablesArePresetsToo() {
    assertThat(Layout.preset("native")).isEqualTo(Layout.nativeTable());
    assertThat(Layout.preset("log", OTHER)).isEqualTo(Layout.log(OTHER));
  }

  @Test
  void anUnknownNameIsRefused() {
    assertThatThrownBy(() -> Layout.preset("natve"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "'natve' is not one of native, log, modkit, logistik, packfinderz, polyshop;"
                + " did you mean native?");
  }

  @Test
  @DisplayName("R10: enum types are in the schema of the table")
  void enumTypesMoveWithTheTable() {
    assertThat(Layout.preset("packfinderz").required(Role.TYPE).type())
        .isEqualTo("event_type_enum");
    Column type = Layout.preset("packfinderz", OTHER).required(Role.TYPE);
    assertThat(type.type()).isEqualTo("\"Shop\".event_type_enum");
    assertThat(type.labels()).startsWith("order_created").hasSize(18);
  }

  @Test
  @DisplayName("R24, R26, R27, R31, R36: relays have the defaults of the system")
  void defaultsAreThoseOfTheSystem() {
    assertThat(Layout.nativeTable().settings()).isEqualTo(LayoutSettings.NONE);
    assertThat(Layout.preset("modkit").settings())
        .isEqualTo(new LayoutSettings(Map.of(), true, List.of()));
    assertThat(Layout.preset("logistik").settings().defaults())
        .isEqualTo(Map.of("envelope", "message-id"));
    assertThat(Layout.preset("polyshop").settings().defaults())
        .isEqualTo(Map.of("envelope", "built", "route", "type"));
    assertThat(Layout.preset("packfinderz").settings().defaults())
        .isEqualTo(
            Map.of(
                "envelope", "stored",
                "route", "fixed:pf-domain-events",
                "batch-size", "50",
                "poll-interval", "500ms"));
  }
}
