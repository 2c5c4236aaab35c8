package dev.postcommit.server.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.server.settings.Settings;
import dev.postcommit.settings.SettingException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RelayPlanTest {

  /** The plans, where what every relay needs is given. */
  private static List<RelayPlan> plans(Map<String, String> environment) {
    Map<String, String> all = new HashMap<>(environment);
    all.putIfAbsent("POSTCOMMIT_DATABASE_URL", "jdbc:postgresql://db:5432/app");
    if (!all.containsKey("POSTCOMMIT_BROKER")) {
      all.put("POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS", "kafka:9092");
    }
    return RelayPlan.of(Settings.read(Map.of(), null, all, Path.of("no such directory")), Map.of());
  }

  private static void assertRefused(Map<String, String> environment, String message) {
    assertThatThrownBy(() -> plans(environment))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aRelayWithoutANameIsTheOnlyOne() {
    assertThat(plans(Map.of())).extracting(RelayPlan::name).containsExactly("default");
  }

  @Test
  void severalRelaysEachHaveATable() {
    List<RelayPlan> plans =
        plans(
            Map.of(
                "POSTCOMMIT_RELAYS", "a,b",
                "POSTCOMMIT_RELAY_A_TABLE", "x",
                "POSTCOMMIT_RELAY_B_DATABASE_URL", "jdbc:postgresql://other:5432/app"));

    assertThat(plans).extracting(RelayPlan::name).containsExactly("a", "b");
    assertThat(plans)
        .extracting(plan -> plan.table().toString())
        .containsExactly(
            "x at jdbc:postgresql://db:5432/app",
            "postcommit_outbox at jdbc:postgresql://other:5432/app");
  }

  @Test
  void twoRelaysOnOneTableAreRefused() {
    assertRefused(
        Map.of("POSTCOMMIT_RELAYS", "a,b"),
        "relays a and b are both on postcommit_outbox at jdbc:postgresql://db:5432/app; give each a"
            + " table, a namespace or a tenant of its own");
    assertRefused(
        Map.of(
            "POSTCOMMIT_RELAYS", "a,b,c",
            "POSTCOMMIT_RELAY_B_TABLE", "x",
            "POSTCOMMIT_RELAY_C_DATABASE_URL", "jdbc:postgresql://db:5432/app?ssl=true"),
        "relays a and c are both on postcommit_outbox");
  }

  @Test
  void relaysMayShareATableByNamespaceOrTenant() {
    assertThat(
            plans(
                Map.of(
                    "POSTCOMMIT_RELAYS", "a,b,c",
                    "POSTCOMMIT_RELAY_A_NAMESPACE", "x",
                    "POSTCOMMIT_RELAY_B_NAMESPACE", "y",
                    "POSTCOMMIT_RELAY_C_TENANT", "0197a1b2-0000-7000-8000-00000000000a")))
        .hasSize(3);
  }

  @Test
  void aTransactionalIdNeedsALog() {
    assertRefused(
        Map.of("POSTCOMMIT_KAFKA_TRANSACTIONAL_ID", "orders"),
        "POSTCOMMIT_KAFKA_TRANSACTIONAL_ID is 'orders', and the native layout has no checkpoint that"
            + " a transaction could record; leave POSTCOMMIT_KAFKA_TRANSACTIONAL_ID out, or set"
            + " --layout log");
    assertRefused(
        Map.of(
            "POSTCOMMIT_RELAYS", "a,b",
            "POSTCOMMIT_KAFKA_TRANSACTIONAL_ID", "orders",
            "POSTCOMMIT_RELAY_A_LAYOUT", "log",
            "POSTCOMMIT_RELAY_B_LAYOUT", "logistik"),
        "relay b: POSTCOMMIT_KAFKA_TRANSACTIONAL_ID is 'orders', and the logistik layout");
  }

  @Test
  void aTransactionalIdNeedsKafka() {
    assertRefused(
        Map.of(
            "POSTCOMMIT_LAYOUT", "log",
            "POSTCOMMIT_BROKER", "pubsub",
            "POSTCOMMIT_PUBSUB_PROJECT", "my-project",
            "POSTCOMMIT_KAFKA_TRANSACTIONAL_ID", "orders"),
        "POSTCOMMIT_KAFKA_TRANSACTIONAL_ID is 'orders', and POSTCOMMIT_BROKER is pubsub, which has no"
            + " such transactions; leave POSTCOMMIT_KAFKA_TRANSACTIONAL_ID out, or set"
            + " POSTCOMMIT_BROKER=kafka");
  }

  @Test
  void twoRelaysWithOneTransactionalIdAreRefused() {
    Map<String, String> logs =
        Map.of(
            "POSTCOMMIT_RELAYS", "a,b,c",
            "POSTCOMMIT_LAYOUT", "log",
            "POSTCOMMIT_RELAY_A_TABLE", "x",
            "POSTCOMMIT_RELAY_B_TABLE", "y");
    Map<String, String> two = new HashMap<>(logs);
    two.put("POSTCOMMIT_RELAY_A_KAFKA_TRANSACTIONAL_ID", "orders");
    two.put("POSTCOMMIT_RELAY_C_KAFKA_TRANSACTIONAL_ID", "billing");
    assertThat(plans(two))
        .extracting(plan -> plan.summary().contains(", kafka-transactional-id "))
        .containsExactly(true, false, true);

    two.put("POSTCOMMIT_RELAY_C_KAFKA_TRANSACTIONAL_ID", "orders");
    assertRefused(
        two,
        "relays a and c both have the kafka-transactional-id 'orders', and each would end the"
            + " transactions of the other; give each one of its own, as"
            + " postcommit.relay.a.kafka.transactional-id and"
            + " postcommit.relay.c.kafka.transactional-id");
  }

  @Test
  void anErrorSaysWhichRelayItIsAbout() {
    assertRefused(
        Map.of("POSTCOMMIT_RELAYS", "a,b", "POSTCOMMIT_RELAY_B_LAYOUT", "polyshop"),
        "relay b: source is not set");
    assertRefused(
        Map.of("POSTCOMMIT_RELAYS", "a,b", "POSTCOMMIT_RELAY_A_BROKER", "kafak"),
        "relay a: POSTCOMMIT_RELAY_A_BROKER: 'kafak' is not one of kafka, pubsub; did you mean kafka?");
  }

  @Test
  @DisplayName("R47: the line of the start shows what PackFinderz' names set")
  void theSummaryShowsWhatIsInForce() {
    Map<String, String> environment =
        Map.of(
            "POSTCOMMIT_LAYOUT", "packfinderz",
            "POSTCOMMIT_BROKER", "pubsub",
            "POSTCOMMIT_PUBSUB_PROJECT", "my-project",
            "PACKFINDERZ_OUTBOX_MAX_ATTEMPTS", "12");

    assertThat(plans(environment).get(0).summary())
        .contains("route fixed:pf-domain-events, ")
        .contains("batch-size 50, ")
        .contains("poll-interval 500ms, ")
        .contains("max-attempts 12, ");
  }
}
