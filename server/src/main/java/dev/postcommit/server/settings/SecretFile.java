package dev.postcommit.server.settings;

import dev.postcommit.settings.SettingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A file that contains one secret and nothing else, as Docker and Kubernetes mount them. */
final class SecretFile {
  private SecretFile() {}

  /**
   * What is in the file, without the end of its line, which editors and {@code echo} add.
   *
   * @throws SettingException if it cannot be read or is empty
   */
  static String read(Path file, String setting) {
    String text;
    try {
      text = Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new SettingException("%s: there is no file %s".formatted(setting, file));
    } catch (IOException e) {
      // What it says may quote what is in the file.
      throw new SettingException(
          "%s: %s cannot be read (%s); it must be a file in UTF-8 that this user may read"
              .formatted(setting, file, e.getClass().getSimpleName()));
    }
    String secret = text.replaceFirst("\\R\\z", "");
    if (secret.isEmpty()) {
      throw new SettingException("%s: %s is empty".formatted(setting, file));
    }
    return secret;
  }
}
