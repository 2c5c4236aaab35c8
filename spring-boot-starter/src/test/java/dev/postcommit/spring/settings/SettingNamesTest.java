package dev.postcommit.spring.settings;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.postcommit.relay.RelayConfig;
import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.settings.BrokerSettings;
import dev.postcommit.settings.RelaySettings;
import dev.postcommit.settings.Setting;
import dev.postcommit.settings.SettingException;
import dev.postcommit.settings.TableSettings;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The names and the defaults of all settings of an application. */
class SettingNamesTest {
  private static final Set<String> OF_THE_SERVER =
      Set.of(
          "postcommit.database-url",
          "postcommit.database-user",
          "postcommit.database-password",
          "postcommit.database-password-file",
          "postcommit.kafka.config-file");

  private static final Map<String, String> NAMES_AND_DEFAULTS =
      Map.ofEntries(
          entry("postcommit.data-source", "null"),
          entry("postcommit.migrate", "false"),
          entry("postcommit.outbox.enabled", "true"),
          entry("postcommit.relay.enabled", "true"),
          entry("postcommit.consumer.enabled", "true"),
          entry("postcommit.consumer.topics", "null"),
          entry("postcommit.consumer.subscriptions", "null"),
          entry("postcommit.consumer.group", "null"),
          entry("postcommit.consumer.inbox", "postgres"),
          entry("postcommit.consumer.inbox-table", "processed_events"),
          entry("postcommit.consumer.unknown-types", "ignore"),
          entry("postcommit.consumer.threads", "1"),
          entry("postcommit.consumer.order", "partition"),
          entry("postcommit.table", "null"),
          entry("postcommit.layout", "native"),
          entry("postcommit.layout-file", "null"),
          entry("postcommit.on-delivery", "keep"),
          entry("postcommit.dead-rows", "null"),
          entry("postcommit.envelope", "null"),
          entry("postcommit.source", "null"),
          entry("postcommit.route", "null"),
          entry("postcommit.registry-file", "null"),
          entry("postcommit.broker", "null"),
          entry("postcommit.kafka.bootstrap-servers", "null"),
          entry("postcommit.kafka.config", "null"),
          entry("postcommit.kafka.transactional-id", "null"),
          entry("postcommit.pubsub.project", "null"),
          entry("postcommit.pubsub.endpoint", "null"),
          entry("postcommit.pubsub.delivery-timeout", "20s"),
          entry("postcommit.batch-size", "500"),
          entry("postcommit.batch-bytes", "2MiB"),
          entry("postcommit.batches-in-flight", "4"),
          entry("postcommit.poll-interval", "100ms"),
          entry("postcommit.lease", "30s"),
          entry("postcommit.drain-timeout", "10s"),
          entry("postcommit.ordering", "per-key"),
          entry("postcommit.max-attempts", "null"),
          entry("postcommit.retry-base-delay", "null"),
          entry("postcommit.retry-max-delay", "null"),
          entry("postcommit.give-up-after", "off"),
          entry("postcommit.namespace", "null"),
          entry("postcommit.tenant", "null"),
          entry("postcommit.retention", "30d"),
          entry("postcommit.wait-for-standbys", "0"),
          entry("postcommit.standby-names", "null"));

  private static final SpringSettings NOTHING_GIVEN = new SpringSettings(new StandardEnvironment());

  @Test
  void editorsAreToldEveryNameWithItsDefault() throws IOException {
    Map<String, String> actual = new TreeMap<>();
    metadata()
        .forEach((name, fields) -> actual.put(name, fields.getOrDefault("defaultValue", "null")));

    assertThat(actual).isEqualTo(NAMES_AND_DEFAULTS);
  }

  @Test
  void everySettingOfARelayOfTheServerIsThereByTheSameName() {
    assertThat(NAMES_AND_DEFAULTS.keySet())
        .containsAll(
            ServerSettings.RELAY_SETTINGS.stream()
                .map(Setting::property)
                .filter(name -> !OF_THE_SERVER.contains(name))
                .toList());
  }

  @Test
  void editorsAreToldWhatEverySettingMeans() throws IOException {
    assertThat(metadata())
        .hasSizeGreaterThan(25)
        .allSatisfy((name, property) -> assertThat(property.get("description")).endsWith("."));
  }

  @Test
  void theServersVariablesAreReadToo() {
    Map<String, Object> variables = new HashMap<>();
    variables.put("POSTCOMMIT_BATCH_SIZE", "7");
    variables.put("POSTCOMMIT_RETRY_BASE_DELAY", "3s");
    variables.put("POSTCOMMIT_KAFKA_BOOTSTRAP_SERVERS", "kafka:9092");
    variables.put("POSTCOMMIT_KAFKA_TRANSACTIONAL_ID", "orders");
    variables.put("POSTCOMMIT_PUBSUB_DELIVERY_TIMEOUT", "5s");
    variables.put("POSTCOMMIT_LAYOUT_FILE", "a.properties");
    variables.put("POSTCOMMIT_ON_DELIVERY", "delete");
    variables.put("POSTCOMMIT_WAIT_FOR_STANDBYS", "1");
    variables.put("POSTCOMMIT_STANDBY_NAMES", "replica1,replica2");
    SpringSettings settings = SpringSettings.checked(withVariables(variables));

    assertThat(settings.get(RelaySettings.BATCH_SIZE)).isEqualTo(7);
    assertThat(settings.get(RelaySettings.RETRY_BASE_DELAY)).hasSeconds(3);
    assertThat(settings.get(BrokerSettings.KAFKA_BOOTSTRAP_SERVERS)).isEqualTo("kafka:9092");
    assertThat(settings.get(BrokerSettings.KAFKA_TRANSACTIONAL_ID)).isEqualTo("orders");
    assertThat(settings.get(BrokerSettings.PUBSUB_DELIVERY_TIMEOUT)).hasSeconds(5);
    assertThat(settings.get(TableSettings.LAYOUT_FILE)).hasToString("a.properties");
    assertThat(settings.get(TableSettings.ON_DELIVERY).name()).isEqualTo("DELETE");
    assertThat(settings.get(RelaySettings.WAIT_FOR_STANDBYS)).isOne();
    assertThat(settings.get(RelaySettings.STANDBY_NAMES)).containsExactly("replica1", "replica2");
  }

  @Test
  void everySettingIsReadFromItsVariable() {
    for (Setting<?> setting : StarterSettings.ALL) {
      if (!setting.equals(BrokerSettings.KAFKA_CONFIG)) {
        assertThat(
                new SpringSettings(withVariables(Map.of(setting.variable(), "x"))).isGiven(setting))
            .as(setting.variable())
            .isTrue();
      }
    }
  }

  @Test
  void aMistakeIsNamedAsItWasWritten() {
    assertThatThrownBy(
            () -> SpringSettings.checked(withVariables(Map.of("POSTCOMMIT_BATCH_SIZE", "0"))))
        .isInstanceOf(SettingException.class)
        .hasMessage("POSTCOMMIT_BATCH_SIZE: '0' is not a whole number from 1 to 10000");
  }

  private static StandardEnvironment withVariables(Map<String, Object> variables) {
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(
            new SystemEnvironmentPropertySource(
                "test-" + StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
    ConfigurationPropertySources.attach(environment);
    return environment;
  }

  @Test
  void defaultsAreThoseOfTheRelay() {
    RelayConfig relay = RelayConfig.DEFAULT;
    assertThat(NOTHING_GIVEN.get(RelaySettings.BATCH_SIZE)).isEqualTo(relay.batchSize());
    assertThat(NOTHING_GIVEN.get(RelaySettings.BATCH_BYTES)).isEqualTo(relay.batchBytes());
    assertThat(NOTHING_GIVEN.get(RelaySettings.BATCHES_IN_FLIGHT))
        .isEqualTo(relay.batchesInFlight());
    assertThat(NOTHING_GIVEN.get(RelaySettings.POLL_INTERVAL)).isEqualTo(relay.pollInterval());
    assertThat(NOTHING_GIVEN.get(RelaySettings.LEASE)).isEqualTo(relay.lease());
    assertThat(NOTHING_GIVEN.get(RelaySettings.DRAIN_TIMEOUT)).isEqualTo(relay.drainTimeout());
    assertThat(NOTHING_GIVEN.get(RelaySettings.ORDERING)).isEqualTo(relay.ordering());
    assertThat(NOTHING_GIVEN.get(RelaySettings.RETENTION)).isEqualTo(relay.retention());
    assertThat(NOTHING_GIVEN.get(RelaySettings.WAIT_FOR_STANDBYS)).isZero();
    assertThat(NOTHING_GIVEN.find(RelaySettings.STANDBY_NAMES)).isEmpty();
    assertThat(NOTHING_GIVEN.get(RelaySettings.GIVE_UP_AFTER)).isZero();
    assertThat(relay.giveUpAfter()).isNull();
  }

  /** The fields of each property in the metadata of this module. */
  private static Map<String, Map<String, String>> metadata() throws IOException {
    Map<String, Map<String, String>> properties = new TreeMap<>();
    try (InputStream stream = file().openStream();
        JsonParser parser = new JsonFactory().createParser(stream)) {
      while (parser.nextToken() != null) {
        if (parser.currentToken() == JsonToken.FIELD_NAME
            && parser.currentName().equals("properties")) {
          parser.nextToken();
          while (parser.nextToken() == JsonToken.START_OBJECT) {
            Map<String, String> fields = fields(parser);
            properties.put(fields.get("name"), fields);
          }
        }
      }
    }
    return properties;
  }

  private static Map<String, String> fields(JsonParser parser) throws IOException {
    Map<String, String> fields = new HashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      fields.put(name, parser.getText());
      parser.skipChildren();
    }
    return fields;
  }

  private static URL file() throws IOException {
    return Collections.list(
            SettingNamesTest.class
                .getClassLoader()
                .getResources("META-INF/spring-configuration-metadata.json"))
        .stream()
        .filter(url -> url.getPath().contains("spring-boot-starter"))
        .findFirst()
        .orElseThrow();
  }
}
