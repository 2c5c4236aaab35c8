package dev.postcommit.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.settings.SettingException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets in files of their own. */
class SecretFileTest {
  private static final String SECRET = "hunter2 and a half";

  @TempDir private Path directory;

  private Optional<String> password(Map<String, String> environment) {
    return Settings.read(Map.of(), null, environment, directory)
        .secret(DatabaseSettings.DATABASE_PASSWORD, DatabaseSettings.DATABASE_PASSWORD_FILE);
  }

  private Optional<String> passwordIn(Path file) {
    return password(Map.of("POSTCOMMIT_DATABASE_PASSWORD_FILE", file.toString()));
  }

  private Path write(String text) throws IOException {
    return Files.writeString(directory.resolve("secret"), text);
  }

  @Test
  void theEndOfTheLineIsNoPartOfASecret() throws IOException {
    for (String end : new String[] {"", "\n", "\r\n"}) {
      assertThat(passwordIn(write(SECRET + end))).contains(SECRET);
    }
    assertThat(passwordIn(write(" " + SECRET + " \n"))).contains(" " + SECRET + " ");
    assertThat(passwordIn(write(SECRET + "\n\n"))).contains(SECRET + "\n");
  }

  @Test
  void withoutAFileASecretIsWhatIsGiven() {
    assertThat(password(Map.of("POSTCOMMIT_DATABASE_PASSWORD", SECRET))).contains(SECRET);
    assertThat(password(Map.of())).isEmpty();
  }

  @Test
  void aFileThatCannotBeUsedIsNamed() throws IOException {
    Path nowhere = directory.resolve("nowhere");
    assertThatThrownBy(() -> passwordIn(nowhere))
        .isInstanceOf(SettingException.class)
        .hasMessage("POSTCOMMIT_DATABASE_PASSWORD_FILE: there is no file " + nowhere);
    for (String empty : new String[] {"", "\n"}) {
      Path file = write(empty);
      assertThatThrownBy(() -> passwordIn(file))
          .isInstanceOf(SettingException.class)
          .hasMessage("POSTCOMMIT_DATABASE_PASSWORD_FILE: " + file + " is empty");
    }
    assertThatThrownBy(() -> passwordIn(directory))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining(
            "POSTCOMMIT_DATABASE_PASSWORD_FILE: " + directory + " cannot be read");
  }

  @Test
  void aSecretIsGivenOnce() throws IOException {
    Path file = write(SECRET);
    assertThatThrownBy(
            () ->
                password(
                    Map.of(
                        "POSTCOMMIT_DATABASE_PASSWORD",
                        SECRET,
                        "POSTCOMMIT_DATABASE_PASSWORD_FILE",
                        file.toString())))
        .isInstanceOf(SettingException.class)
        .hasMessage(
            "POSTCOMMIT_DATABASE_PASSWORD and POSTCOMMIT_DATABASE_PASSWORD_FILE are both given; leave"
                + " one of them out");
  }

  @Test
  void aTokenInAFileIsCheckedAndNotShown() throws IOException {
    Path file = write("hunter2");
    Settings settings =
        Settings.read(
            Map.of(), null, Map.of("POSTCOMMIT_ADMIN_TOKEN_FILE", file.toString()), directory);
    assertThatThrownBy(
            () -> settings.secret(ProcessSettings.ADMIN_TOKEN, ProcessSettings.ADMIN_TOKEN_FILE))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("POSTCOMMIT_ADMIN_TOKEN_FILE")
        .hasMessageContaining("is shorter than 16 characters")
        .hasMessageNotContaining("hunter2");
  }
}
