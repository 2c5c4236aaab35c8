package dev.postcommit.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.settings.Setting;
import dev.postcommit.settings.TableSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/configuration.md is what the settings' definitions say. */
class ConfigurationPageTest {
  private static final Path PAGE = Path.of("..", "docs", "configuration.md");

  @Test
  void thePageIsWhatTheDefinitionsSay() throws IOException {
    String rendered = ConfigurationPage.render();
    if (System.getProperty("update.docs") != null) {
      Files.writeString(PAGE, rendered);
    }
    assertThat(Files.readString(PAGE))
        .as(
            "docs/configuration.md; run mvn -pl server -am test -Dtest=ConfigurationPageTest"
                + " -Dupdate.docs to write it anew")
        .isEqualTo(rendered);
  }

  @Test
  void theExampleCanBeUsed(@TempDir Path directory) throws IOException {
    Files.writeString(directory.resolve("postcommit.properties"), ConfigurationPage.example());
    Settings settings = Settings.read(Map.of(), null, Map.of(), directory);
    assertThat(settings.relays()).containsExactly("orders", "billing");
    for (String relay : settings.relays()) {
      for (Setting<?> setting : ServerSettings.ALL) {
        assertThat(settings.relay(relay).find(setting)).isNotNull();
      }
    }
    assertThat(settings.relay("billing").get(TableSettings.TABLE))
        .hasToString("billing.outbox_events");
  }
}
