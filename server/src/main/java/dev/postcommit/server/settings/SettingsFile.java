package dev.postcommit.server.settings;

import dev.postcommit.settings.SettingException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/** Files in the format of Java properties, in UTF-8. */
public final class SettingsFile {

  /** The file that is read by default, if it exists. */
  static final String DEFAULT_NAME = "postcommit.properties";

  private SettingsFile() {}

  /**
   * What the file says.
   *
   * @throws SettingException if it cannot be read, in one line
   */
  public static Map<String, String> read(Path file, String source) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (NoSuchFileException e) {
      throw new SettingException("there is no file " + file + " (from " + source + ")");
    } catch (IOException | IllegalArgumentException e) {
      throw new SettingException(
          "could not read %s as a properties file: %s (from %s)".formatted(file, e, source));
    }
    Map<String, String> entries = new LinkedHashMap<>();
    properties.stringPropertyNames().stream()
        .sorted()
        .forEach(name -> entries.put(name, properties.getProperty(name)));
    return entries;
  }
}
