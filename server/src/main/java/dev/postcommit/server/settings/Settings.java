package dev.postcommit.server.settings;

import dev.postcommit.internal.Suggestion;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The values of settings: from a flag, else from the environment, else from a file.
 *
 * <p>A process may have several relays; each then has settings of its own, and for all others those
 * that are given for none in particular.
 */
public final class Settings {

  /** Names the file of settings; a flag and a variable, but of course no property. */
  public static final String CONFIG_FLAG = "--config";

  private final Map<String, Given> given;
  private final Map<String, Map<String, Given>> givenForRelays;

  Settings(Map<String, Given> given, Map<String, Map<String, Given>> givenForRelays) {
    this.given = Map.copyOf(given);
    this.givenForRelays = Map.copyOf(givenForRelays);
  }

  /** A text, and where it is from. */
  record Given(String text, String source) {}

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
    return new SettingSources(flags, config, environment, directory).settings();
  }

  /** The names of the process's relays; none if there is just one, which has no name. */
  public List<String> relays() {
    return find(ProcessSettings.RELAYS).orElse(List.of());
  }

  /**
   * The settings of one of several relays.
   *
   * @throws SettingException if there is none of this name
   */
  public Settings relay(String name) {
    if (!relays().contains(name)) {
      throw new SettingException(
          relays().isEmpty()
              ? "there is no relay " + name + ", for relays is not set"
              : "there is no relay " + name + Suggestion.didYouMean(name, relays()));
    }
    Map<String, Given> all = new HashMap<>(given);
    all.putAll(givenForRelays.getOrDefault(name, Map.of()));
    return new Settings(all, Map.of());
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

  static <T> T read(Setting<T> setting, Given value) {
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
