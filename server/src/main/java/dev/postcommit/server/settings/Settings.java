package dev.postcommit.server.settings;

import dev.postcommit.support.Suggestion;
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
 * that are given for none in particular. A flag is for all of them, and goes before everything.
 */
public final class Settings {

  /** Names the file of settings; a flag and a variable, but of course no property. */
  public static final String CONFIG_FLAG = "--config";

  private final Map<String, Given> flags;
  private final Map<String, Given> given;
  private final Map<String, Map<String, Given>> givenForRelays;
  private final Map<String, String> environment;

  Settings(
      Map<String, Given> flags,
      Map<String, Given> given,
      Map<String, Map<String, Given>> givenForRelays,
      Map<String, String> environment) {
    this.flags = Map.copyOf(flags);
    this.given = Map.copyOf(given);
    this.givenForRelays = Map.copyOf(givenForRelays);
    this.environment = Map.copyOf(environment);
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
    return new Settings(flags, all, Map.of(), environment);
  }

  /**
   * The settings of the relay of that name, or of the only one if that has no name.
   *
   * @param name the name, or null if none was chosen
   * @throws SettingException if there is none of this name, or a choice
   */
  public Settings only(@Nullable String name) {
    if (name == null && !relays().isEmpty()) {
      throw new SettingException(
          "relays is %s; say which one is meant by --relay %s"
              .formatted(String.join(",", relays()), String.join(" or --relay ", relays())));
    }
    return name == null ? this : relay(name);
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
    Optional<Given> value =
        given(setting).or(() -> ChosenLayout.implied(setting, this, environment));
    return value.isPresent()
        ? value.map(text -> read(setting, text))
        : Optional.ofNullable(setting.defaultText()).map(setting.reader()::read);
  }

  /**
   * A secret, given as such or in a file that another setting names.
   *
   * @throws SettingException if both are given, the file cannot be read, or the secret is not
   *     acceptable
   */
  public Optional<String> secret(Setting<String> setting, Setting<Path> file) {
    Optional<Path> named = find(file);
    if (named.isPresent() && isGiven(setting)) {
      throw new SettingException(
          "%s and %s are both given; leave one of them out".formatted(setting.name(), file.name()));
    }
    return named.isPresent()
        ? named.map(path -> read(setting, new Given(SecretFile.read(path, file), file.name())))
        : find(setting);
  }

  /** Whether a value was given; a default is none. */
  public boolean isGiven(Setting<?> setting) {
    return given(setting).isPresent();
  }

  private Optional<Given> given(Setting<?> setting) {
    @Nullable Given flag = flags.get(setting.name());
    return Optional.ofNullable(flag == null ? given.get(setting.name()) : flag);
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
