package dev.postcommit.server.settings;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Describes all settings in the form of Spring Boot's configuration metadata, by which editors
 * complete and check files of settings. The build runs it.
 */
public final class SettingsMetadata {
  private static final String RELAYS_PROPERTY = Setting.PROPERTY_PREFIX + "relay";

  private SettingsMetadata() {}

  /** Writes the description to the file that is named. */
  public static void main(String[] args) throws IOException {
    Path file = Path.of(args[0]);
    Files.createDirectories(file.toAbsolutePath().getParent());
    try (JsonGenerator json =
        new JsonFactory()
            .createGenerator(file.toFile(), JsonEncoding.UTF8)
            .useDefaultPrettyPrinter()) {
      json.writeStartObject();
      json.writeArrayFieldStart("properties");
      for (Setting<?> setting : ServerSettings.ALL) {
        writeProperty(json, setting);
      }
      writeRelays(json);
      json.writeEndArray();
      json.writeArrayFieldStart("hints");
      for (Setting<?> setting : ServerSettings.ALL) {
        writeHints(json, setting);
      }
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private static void writeProperty(JsonGenerator json, Setting<?> setting) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", setting.property());
    json.writeStringField("type", setting.reader().type().getName());
    json.writeStringField("description", setting.description());
    String usual = setting.defaultText();
    if (usual != null && setting.reader().type() == Integer.class) {
      json.writeNumberField("defaultValue", Integer.parseInt(usual));
    } else if (usual != null) {
      json.writeStringField("defaultValue", usual);
    }
    json.writeEndObject();
  }

  /** What begins with the name of a relay cannot be listed. */
  private static void writeRelays(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", RELAYS_PROPERTY);
    json.writeStringField("type", "java.util.Map<java.lang.String,java.lang.Object>");
    json.writeStringField(
        "description", "The settings of one of several relays, after its name and a dot.");
    json.writeEndObject();
  }

  private static void writeHints(JsonGenerator json, Setting<?> setting) throws IOException {
    List<String> choices = setting.reader().choices();
    if (choices.isEmpty()) {
      return;
    }
    json.writeStartObject();
    json.writeStringField("name", setting.property());
    json.writeArrayFieldStart("values");
    for (String choice : choices) {
      json.writeStartObject();
      json.writeStringField("value", choice);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
