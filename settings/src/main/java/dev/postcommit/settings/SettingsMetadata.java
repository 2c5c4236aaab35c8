package dev.postcommit.settings;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes Spring Boot's configuration metadata, with which editors complete and check settings. The
 * builds of the server and of the starter run it.
 */
public final class SettingsMetadata {
  private SettingsMetadata() {}

  /** Writes the metadata of settings to a file. */
  public static void write(Path file, List<Setting<?>> settings) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    try (JsonGenerator json =
        new JsonFactory()
            .createGenerator(file.toFile(), JsonEncoding.UTF8)
            .useDefaultPrettyPrinter()) {
      json.writeStartObject();
      json.writeArrayFieldStart("properties");
      for (Setting<?> setting : settings) {
        writeProperty(json, setting);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("hints");
      for (Setting<?> setting : settings) {
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
    } else if (usual != null && setting.reader().type() == Boolean.class) {
      json.writeBooleanField("defaultValue", Boolean.parseBoolean(usual));
    } else if (usual != null) {
      json.writeStringField("defaultValue", usual);
    }
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
