package dev.postcommit.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.settings.Setting;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/** The metadata of the settings, as the build puts it into the jar. */
class SettingsMetadataTest {
  private static final String RESOURCE = "/META-INF/spring-configuration-metadata.json";

  private final Map<String, Map<String, Object>> properties = new HashMap<>();
  private final Map<String, List<Object>> hints = new HashMap<>();

  @BeforeEach
  void read() throws IOException {
    Map<String, Object> metadata;
    try (InputStream in = ServerSettings.class.getResourceAsStream(RESOURCE)) {
      assertThat(in).as(RESOURCE).isNotNull();
      metadata =
          JsonParserFactory.getJsonParser()
              .parseMap(new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8));
    }
    assertThat(metadata).containsOnlyKeys("properties", "hints");
    for (Map<String, Object> property : objects(metadata.get("properties"))) {
      assertThat(properties.put((String) property.get("name"), property)).isNull();
    }
    for (Map<String, Object> hint : objects(metadata.get("hints"))) {
      assertThat(hint).containsOnlyKeys("name", "values");
      assertThat(objects(hint.get("values"))).allSatisfy(v -> assertThat(v).containsKey("value"));
      hints.put(
          (String) hint.get("name"),
          objects(hint.get("values")).stream().map(value -> value.get("value")).toList());
    }
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> objects(Object array) {
    return List.copyOf((Collection<Map<String, Object>>) array);
  }

  @Test
  void everySettingIsThereWithTypeDescriptionAndDefault() throws ClassNotFoundException {
    assertThat(properties).hasSize(ServerSettings.ALL.size() + 1).containsKey("postcommit.relay");
    for (Setting<?> setting : ServerSettings.ALL) {
      Map<String, Object> property = properties.get(setting.property());
      assertThat(property).as(setting.property()).isNotNull();
      assertThat(Class.forName((String) property.get("type"))).isNotNull();
      assertThat(property.get("description")).isEqualTo(setting.description());
      assertThat(property.containsKey("defaultValue")).isEqualTo(setting.defaultText() != null);
    }
    assertThat(properties.get("postcommit.batch-size"))
        .containsEntry("type", "java.lang.Integer")
        .containsEntry("defaultValue", 500);
    assertThat(properties.get("postcommit.lease"))
        .containsEntry("type", "java.time.Duration")
        .containsEntry("defaultValue", "30s");
  }

  @Test
  void everyChoiceHasItsValuesAsHints() {
    assertThat(hints)
        .containsEntry("postcommit.broker", List.of("kafka", "pubsub"))
        .containsEntry("postcommit.log-format", List.of("text", "json"));
    assertThat(hints.keySet())
        .containsExactlyInAnyOrderElementsOf(
            ServerSettings.ALL.stream()
                .filter(setting -> !setting.reader().choices().isEmpty())
                .map(Setting::property)
                .toList());
  }
}
