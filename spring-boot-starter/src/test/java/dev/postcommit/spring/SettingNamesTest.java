package dev.postcommit.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.postcommit.relay.RelayConfig;
import dev.postcommit.server.settings.BrokerSettings;
import dev.postcommit.server.settings.ServerSettings;
import dev.postcommit.server.settings.Setting;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** A setting is the same thing in an application and in the server, by the same name. */
class SettingNamesTest {

  /** Spring says where the database is, and a file of properties is Spring's to import. */
  private static final Set<String> ELSEWHERE =
      Set.of(
          "database-url",
          "database-user",
          "database-password",
          "database-password-file",
          "kafka-config-file");

  private static final Set<String> OF_THE_STARTER =
      Set.of("postcommit.data.source", "postcommit.migrate", "postcommit.relay.enabled");

  @Test
  void everySettingOfARelayIsThereWithItsDefault() throws IOException {
    Map<String, String> expected = new TreeMap<>();
    for (Setting<?> setting : ServerSettings.RELAY_SETTINGS) {
      if (!ELSEWHERE.contains(setting.name())) {
        expected.put(setting.property(), String.valueOf(setting.defaultText()));
      }
    }
    // What an application has on its class path and says in its settings decides on the broker.
    expected.put(BrokerSettings.BROKER.property(), "null");

    Map<String, String> actual = new TreeMap<>();
    metadata()
        .forEach(
            (name, property) ->
                actual.put(name.replace('-', '.'), property.getOrDefault("defaultValue", "null")));

    assertThat(actual.keySet()).containsAll(OF_THE_STARTER);
    actual.keySet().removeAll(OF_THE_STARTER);
    assertThat(actual).isEqualTo(expected);
  }

  @Test
  void editorsAreToldWhatEverySettingMeans() throws IOException {
    assertThat(metadata())
        .hasSizeGreaterThan(25)
        .allSatisfy((name, property) -> assertThat(property.get("description")).endsWith("."));
  }

  @Test
  void choicesAreTheSame() {
    assertThat(words(PostcommitSettings.LayoutName.values())).isEqualTo(choices("layout"));
    assertThat(words(PostcommitSettings.EnvelopeName.values())).isEqualTo(choices("envelope"));
    assertThat(words(PostcommitSettings.BrokerName.values())).isEqualTo(choices("broker"));
    assertThat(words(PostcommitSettings.DeadRows.values())).isEqualTo(choices("dead-rows"));
  }

  private static List<String> words(Enum<?>[] constants) {
    return List.of(constants).stream()
        .map(constant -> constant.name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .toList();
  }

  private static List<String> choices(String name) {
    return setting(name).reader().choices();
  }

  private static Setting<?> setting(String name) {
    return ServerSettings.RELAY_SETTINGS.stream()
        .filter(setting -> setting.name().equals(name))
        .findFirst()
        .orElseThrow();
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
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(
            new SystemEnvironmentPropertySource(
                "test-" + StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
    ConfigurationPropertySources.attach(environment);

    PostcommitSettings settings =
        Binder.get(environment).bindOrCreate("postcommit", PostcommitSettings.class);

    assertThat(settings.batchSize()).isEqualTo(7);
    assertThat(settings.retryBaseDelay()).hasSeconds(3);
    assertThat(settings.kafka().bootstrapServers()).isEqualTo("kafka:9092");
    assertThat(settings.kafka().transactionalId()).isEqualTo("orders");
    assertThat(settings.pubsub().deliveryTimeout()).hasSeconds(5);
    assertThat(settings.layoutFile()).isEqualTo("a.properties");
    assertThat(settings.onDelivery().name()).isEqualTo("DELETE");
    assertThat(settings.waitForStandbys()).isOne();
    assertThat(settings.standbyNames()).containsExactly("replica1", "replica2");
  }

  @Test
  void defaultsAreThoseOfTheRelay() {
    PostcommitSettings settings =
        Binder.get(new StandardEnvironment()).bindOrCreate("none", PostcommitSettings.class);

    assertThat(settings.batchSize()).isEqualTo(RelayConfig.DEFAULT.batchSize());
    assertThat(Values.bytes("batch-bytes", settings.batchBytes()))
        .isEqualTo(RelayConfig.DEFAULT.batchBytes());
    assertThat(settings.batchesInFlight()).isEqualTo(RelayConfig.DEFAULT.batchesInFlight());
    assertThat(settings.pollInterval()).isEqualTo(RelayConfig.DEFAULT.pollInterval());
    assertThat(settings.lease()).isEqualTo(RelayConfig.DEFAULT.lease());
    assertThat(settings.drainTimeout()).isEqualTo(RelayConfig.DEFAULT.drainTimeout());
    assertThat(settings.ordering()).isEqualTo(RelayConfig.DEFAULT.ordering());
    assertThat(settings.waitForStandbys()).isZero();
    assertThat(settings.standbyNames()).isEmpty();
    assertThat(Values.limitOrOff("give-up-after", settings.giveUpAfter(), Duration.ofSeconds(1)))
        .isEqualTo(RelayConfig.DEFAULT.giveUpAfter());
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
