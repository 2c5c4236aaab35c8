package dev.postcommit.server.settings;

import dev.postcommit.internal.Suggestion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The values of settings: from a flag, else from the environment, else from a file. */
public final class Settings {

  /** Names the file of settings; a flag and a variable, but of course no property. */
  public static final String CONFIG_FLAG = "--config";

  private static final String CONFIG_VARIABLE = Setting.VARIABLE_PREFIX + "CONFIG";

  private final Map<String, Given> given;

  private Settings(Map<String, Given> given) {
    this.given = Map.copyOf(given);
  }

  /** A text, and where it is from. */
  private record Given(String text, String source) {}

  /**
   * Puts the sources together.
   *
   * @param flags the texts of the flags that were given, by setting name
   * @param config the file named by {@link #CONFIG_FLAG}, if it was
   * @param environment the variables of the environment
   * @param directory where a file may be that nobody names
   * @throws SettingException if a variable or a property is not known, or a file cannot be read
   */
  public static Settings read(
      Map<String, String> flags,
      @Nullable Path config,
      Map<String, String> environment,
      Path directory) {
    Map<String, Given> given = new HashMap<>();
    addFile(given, config, environment, directory);
    addEnvironment(given, environment);
    flags.forEach((name, text) -> given.put(name, new Given(text, "--" + name)));
    return new Settings(given);
  }

  private static void addFile(
      Map<String, Given> given,
      @Nullable Path config,
      Map<String, String> environment,
      Path directory) {
    String variable = environment.getOrDefault(CONFIG_VARIABLE, "");
    Path file = directory.resolve(SettingsFile.DEFAULT_NAME);
    String source = "the working directory";
    if (config != null) {
      file = directory.resolve(config);
      source = CONFIG_FLAG;
    } else if (!variable.isEmpty()) {
      file = directory.resolve(variable);
      source = CONFIG_VARIABLE;
    } else if (!Files.exists(file)) {
      return;
    }
    Map<String, Setting<?>> known = new HashMap<>();
    ServerSettings.ALL.forEach(setting -> known.put(setting.property(), setting));
    for (Map.Entry<String, String> entry : SettingsFile.read(file, source).entrySet()) {
      Setting<?> setting = known.get(entry.getKey());
      if (setting == null) {
        throw unknown("setting", entry.getKey(), known, " in " + file);
      }
      add(given, setting, entry.getValue(), entry.getKey() + " in " + file);
    }
  }

  private static void addEnvironment(Map<String, Given> given, Map<String, String> environment) {
    Map<String, Setting<?>> known = new HashMap<>();
    ServerSettings.ALL.forEach(setting -> known.put(setting.variable(), setting));
    for (Map.Entry<String, String> entry : environment.entrySet()) {
      String name = entry.getKey();
      if (name.startsWith(Setting.VARIABLE_PREFIX) && !name.equals(CONFIG_VARIABLE)) {
        Setting<?> setting = known.get(name);
        if (setting == null) {
          throw unknown("environment variable", name, known, "");
        }
        add(given, setting, entry.getValue(), name);
      }
    }
  }

  /** Empty is as good as absent: that is how a variable is unset in many tools. */
  private static void add(
      Map<String, Given> given, Setting<?> setting, String text, String source) {
    if (!text.isEmpty()) {
      given.put(setting.name(), new Given(text, source));
    }
  }

  private static SettingException unknown(
      String what, String name, Map<String, Setting<?>> known, String where) {
    return new SettingException(
        "unknown " + what + " " + name + where + Suggestion.didYouMean(name, known.keySet()));
  }

  /**
   * The value given, or else the default.
   *
   * @throws SettingException if there is neither, or the value is not acceptable
   */
  public <T> T get(Setting<T> setting) {
    return find(setting)
        .orElseThrow(
            () -> new SettingException(setting.name() + " is not set; " + setting.howToSet()));
  }

  /**
   * The value given, or else the default if there is one.
   *
   * @throws SettingException if the value is not acceptable
   */
  public <T> Optional<T> find(Setting<T> setting) {
    Given value = given.get(setting.name());
    if (value != null) {
      return Optional.of(read(setting, value));
    }
    return Optional.ofNullable(setting.defaultText()).map(setting.reader()::read);
  }

  /** Whether a value was given; a default is none. */
  public boolean isGiven(Setting<?> setting) {
    return given.containsKey(setting.name());
  }

  private static <T> T read(Setting<T> setting, Given value) {
    try {
      return setting.reader().read(value.text());
    } catch (IllegalArgumentException e) {
      throw new SettingException(
          "%s: %s %s (from %s)"
              .formatted(
                  setting.name(),
                  setting.isSecret() ? "the value" : "'" + value.text() + "'",
                  e.getMessage(),
                  value.source()));
    }
  }
}
