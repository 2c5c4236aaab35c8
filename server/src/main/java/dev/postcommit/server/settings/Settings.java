package dev.postcommit.server.settings;

import dev.postcommit.settings.Setting;
import dev.postcommit.settings.SettingException;
import dev.postcommit.settings.SettingValues;
import dev.postcommit.support.Suggestion;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The values of settings: from a command-line option, else from the environment, else from a file.
 *
 * <p>If a process has several relays, each has its own settings, and shares those that are given
 * for no relay in particular. An option applies to all relays and takes precedence.
 */
public final class Settings extends SettingValues {

  /** The option that names the file of settings. */
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

  /**
   * Combines the sources.
   *
   * @param flags the texts of the flags that were given, by setting name
   * @param config the file named by {@link #CONFIG_FLAG}, if it was
   * @param environment the variables of the environment
   * @param directory where the default file is looked up
   * @throws SettingException if a variable or property is unknown, or a file cannot be read
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
   * A secret, given as such or in a file that another setting names.
   *
   * @throws SettingException if both are given, the file cannot be read, or the secret is not
   *     acceptable
   */
  public Optional<String> secret(Setting<String> setting, Setting<Path> file) {
    Optional<Path> named = find(file);
    if (named.isPresent() && isGiven(setting)) {
      throw new SettingException(
          "%s and %s are both given; leave one of them out".formatted(name(setting), name(file)));
    }
    return named.isPresent()
        ? named.map(
            path -> new Given(SecretFile.read(path, name(file)), name(file), "").read(setting))
        : find(setting);
  }

  @Override
  protected Optional<Given> given(Setting<?> setting) {
    @Nullable Given flag = flags.get(setting.name());
    return Optional.ofNullable(flag == null ? given.get(setting.name()) : flag);
  }

  @Override
  protected Optional<Given> fallback(Setting<?> setting) {
    return LayoutVariables.find(setting, this, environment);
  }

  @Override
  protected String nameOf(Setting<?> setting) {
    return setting.name();
  }

  @Override
  public String howToSet(Setting<?> setting) {
    return waysToSet(setting);
  }

  static String waysToSet(Setting<?> setting) {
    return "give %s, set %s, or put %s into a file"
        .formatted(setting.flag(), setting.variable(), setting.property());
  }

  @Override
  public String howToSet(Setting<?> setting, String value) {
    return isGiven(setting)
        ? super.howToSet(setting, value)
        : "set " + setting.flag() + " " + value;
  }
}
