package dev.postcommit.server.relay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.relay.Message;
import dev.postcommit.server.settings.Settings;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.settings.ConfiguredMessages;
import dev.postcommit.settings.MessageSettings.EnvelopeName;
import dev.postcommit.settings.SettingException;
import dev.postcommit.store.StoredEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MessagesTest {
  private static final String ID = "0197a1b2-0000-7000-8000-000000000001";

  @TempDir private Path directory;

  private static Settings settings(String... flags) {
    Map<String, String> all = new HashMap<>();
    all.put("database-url", "jdbc:postgresql://db:5432/app");
    all.put("kafka-bootstrap-servers", "kafka:9092");
    for (int i = 0; i < flags.length; i += 2) {
      all.put(flags[i], flags[i + 1]);
    }
    return Settings.read(all, null, Map.of(), Path.of("no such directory"));
  }

  private static ConfiguredMessages messages(String... flags) {
    Settings settings = settings(flags);
    return ConfiguredMessages.of(settings, OutboxTable.of(settings).layout());
  }

  private static Message message(String... flags) {
    ConfiguredMessages messages = messages(flags);
    StoredEvent event =
        new StoredEvent(
            ID,
            "billing",
            "invoices",
            null,
            null,
            "invoice.sent",
            "invoice",
            "7",
            "7",
            1,
            Map.of(),
            "{\"n\":1}".getBytes(UTF_8),
            Instant.EPOCH,
            1,
            null);
    return messages.envelope().wrap(event, messages.router().topic(event));
  }

  private static String body(String... flags) {
    return new String(message(flags).body(), UTF_8);
  }

  private static void refused(String message, String... flags) {
    assertThatThrownBy(() -> messages(flags))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining(message);
  }

  private String registry(String events) throws IOException {
    return Files.writeString(directory.resolve("events.json"), "{\"events\":[" + events + "]}")
        .toString();
  }

  private static void assertUsual(
      String layout, EnvelopeName envelope, String route, String... more) {
    String[] flags = {"layout", layout, more.length == 0 ? "layout" : more[0], layout};
    ConfiguredMessages messages = messages(flags);
    Settings settings = settings(flags);
    assertThat(ConfiguredMessages.envelopeName(settings, OutboxTable.of(settings).layout()))
        .as(layout)
        .isEqualTo(envelope);
    assertThat(messages.route()).as(layout).hasToString(route);
    assertThat(messages.check()).isNull();
  }

  @Test
  @DisplayName("R23, R24, R26, R27: unless given, envelope and route are those of the layout")
  void envelopeAndRouteAreThoseOfTheLayout() {
    assertUsual("native", EnvelopeName.RAW, "recorded");
    assertUsual("modkit", EnvelopeName.RAW, "recorded");
    assertUsual("logistik", EnvelopeName.MESSAGE_ID, "recorded");
    assertUsual("packfinderz", EnvelopeName.STORED, "fixed:pf-domain-events");
    assertUsual("polyshop", EnvelopeName.BUILT, "type", "source");
  }

  @Test
  void everyEnvelopeCanBeChosen() {
    assertThat(body("envelope", "raw")).isEqualTo("{\"n\":1}");
    assertThat(body("envelope", "message-id")).isEqualTo("{\"messageId\":\"" + ID + "\",\"n\":1}");
    assertThat(body("envelope", "built", "source", "billing"))
        .startsWith("{\"eventId\":\"" + ID + "\"")
        .contains("\"source\":\"billing\",\"data\":{\"n\":1}");
    assertThatThrownBy(() -> body("envelope", "stored"))
        .hasMessageContaining("not a stored envelope");
    assertThat(message("envelope", "cloudevents-binary", "source", "/billing").headers())
        .containsEntry("ce_source", "/billing");
    assertThat(body("envelope", "cloudevents-structured", "source", "/billing"))
        .contains("\"specversion\":\"1.0\"", "\"source\":\"/billing\"");
    refused("envelope: 'bilt' is not one of raw, message-id, built", "envelope", "bilt");
  }

  @Test
  void anEnvelopeThatNamesASourceNeedsOneAndTheOthersRefuseIt() {
    refused(
        "source is not set, and the envelope built says where events come from; give --source, set POSTCOMMIT_SOURCE, or put postcommit.source into a file",
        "layout",
        "polyshop");
    for (String envelope : new String[] {"built", "cloudevents-binary", "cloudevents-structured"}) {
      refused(
          "source is not set, and the envelope " + envelope + " says where", "envelope", envelope);
    }
    refused("source is not set", "envelope", "built", "source", " ");
    refused(
        "source: 'a b' is not a URI; write for example /orders",
        "envelope",
        "cloudevents-binary",
        "source",
        "a b");
    refused(
        "--source is 'billing', and the envelope is raw, which has none; leave --source out, or set"
            + " --envelope built",
        "source",
        "billing");
  }

  @Test
  @DisplayName("R27: every route can be chosen")
  void everyRouteCanBeChosen() {
    assertThat(message("route", "recorded").topic()).isEqualTo("invoices");
    assertThat(message("route", "type").topic()).isEqualTo("invoice.sent");
    assertThat(message("route", "namespaced").topic()).isEqualTo("billing.invoices");
    assertThat(message("route", "fixed:all").topic()).isEqualTo("all");
    assertThat(message("route", "template:{namespace}.{aggregate_type}.v{version}").topic())
        .isEqualTo("billing.invoice.v1");
    refused(
        "route: 'tpye' is not one of recorded, type, namespaced, fixed:<topic>", "route", "tpye");
    refused(
        "route: 'fixed' is not one of recorded, type, namespaced, fixed:<topic>", "route", "fixed");
    refused("route: 'fixed:' is not a route: topic must not be blank", "route", "fixed:");
    refused("has the unknown placeholder {x}; there are {namespace}", "route", "template:{x}");
  }

  @Test
  @DisplayName("R45: a registry checks events, and routes them if it is to")
  void aRegistryChecksEventsAndRoutesThemIfItIsTo() throws IOException {
    String file = registry("{\"type\":\"invoice.sent\",\"topic\":\"sent\",\"schema\":{}}");

    assertThat(messages("registry-file", file).check()).isNotNull();
    assertThat(message("registry-file", file).topic()).isEqualTo("invoices");
    assertThat(message("registry-file", file, "route", "registry").topic()).isEqualTo("sent");
    refused(
        "--route is registry, and there is none; give --registry-file, set"
            + " POSTCOMMIT_REGISTRY_FILE, or put postcommit.registry-file into a file",
        "route",
        "registry");
  }

  @Test
  void aRegistryThatCannotBeUsedIsASettingThatCannot() throws IOException {
    String none = directory.resolve("none").toString();
    refused("registry-file: " + none + ": the file is not there", "registry-file", none);
    refused(
        "event type a: it has no topic",
        "registry-file",
        registry("{\"type\":\"a\",\"schema\":{}}"));
  }

  @Test
  @DisplayName("R35: no event type may have more attempts than the relay allows")
  void noEventTypeMayHaveMoreAttemptsThanTheRelayAllows() throws IOException {
    String event =
        "{\"type\":\"a\",\"topic\":\"t\",\"schema\":{},\"retry\":{\"maxAttempts\":%s,"
            + "\"baseDelay\":\"1s\",\"maxDelay\":\"1m\"}}";
    String six = registry(event.formatted("6"));
    refused(
        "registry-file: "
            + six
            + ": event type a allows 6 attempts, more than max-attempts (5);"
            + " lower its maxAttempts or raise that",
        "registry-file",
        six,
        "layout",
        "logistik");
    assertThat(messages("registry-file", six).check()).isNotNull();
    String unlimited = registry(event.formatted("\"unlimited\""));
    refused("allows unlimited attempts, more than max-attempts (20)", "registry-file", unlimited);
  }

  @Test
  void theSummaryShowsWhatBecomesOfEvents() throws IOException {
    String file = registry("{\"type\":\"a\",\"topic\":\"t\",\"schema\":{}}");
    Settings settings =
        settings("layout", "polyshop", "source", "order-service", "registry-file", file);

    assertThat(RelayPlan.of(settings, Map.of()).get(0).summary())
        .contains(
            ", envelope built, source order-service, route type, registry-file " + file + ", ");
  }
}
