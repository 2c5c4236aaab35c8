package dev.postcommit.server.settings;

import dev.postcommit.server.settings.Settings.Given;
import dev.postcommit.support.Suggestion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Puts flags, environment and file together, and refuses what it does not know. */
final class SettingSources {
  private static final String CONFIG_VARIABLE = Setting.VARIABLE_PREFIX + "CONFIG";

  /** The second is for Postcommit's own build, in a shell that may start relays as well. */
  private static final Set<String> NOT_SETTINGS =
      Set.of(CONFIG_VARIABLE, Setting.VARIABLE_PREFIX + "TEST_ALL");

  private static final String RELAY_PROPERTY = Setting.PROPERTY_PREFIX + "relay.";
  private static final String RELAY_VARIABLE = Setting.VARIABLE_PREFIX + "RELAY_";

  private final Map<String, String> flags;
  private final Map<String, String> environment;
  private final Map<String, String> properties;
  private final Path file;
  private final Map<String, Given> given = new HashMap<>();
  private final Map<String, Map<String, Given>> givenForRelays = new HashMap<>();
  private final Map<String, String> seen = new HashMap<>();
  private List<String> relays = List.of();

  SettingSources(
      Map<String, String> flags,
      @Nullable Path config,
      Map<String, String> environment,
      Path directory) {
    this.flags = flags;
    this.environment = environment;
    String variable = environment.getOrDefault(CONFIG_VARIABLE, "");
    if (config != null) {
      file = directory.resolve(config);
      properties = SettingsFile.read(file, Settings.CONFIG_FLAG);
    } else if (!variable.isEmpty()) {
      file = directory.resolve(variable);
      properties = SettingsFile.read(file, CONFIG_VARIABLE);
    } else {
      file = directory.resolve(SettingsFile.DEFAULT_NAME);
      properties = Files.exists(file) ? SettingsFile.read(file, "the working directory") : Map.of();
    }
  }

  /** All of them, where a later source goes before an earlier one. */
  Settings settings() {
    relays = relays();
    properties.forEach(this::addProperty);
    environment.forEach(this::addVariable);
    Map<String, Given> first = new HashMap<>();
    flags.forEach((name, text) -> first.put(name, new Given(text, "--" + name)));
    return new Settings(first, given, givenForRelays, environment);
  }

  /** The names of the relays, which are to be known before anything else is read. */
  private List<String> relays() {
    Setting<List<String>> setting = ProcessSettings.RELAYS;
    String flag = flags.get(setting.name());
    if (flag != null) {
      return Settings.read(setting, new Given(flag, setting.flag()));
    }
    String variable = environment.getOrDefault(setting.variable(), "");
    if (!variable.isEmpty()) {
      return Settings.read(setting, new Given(variable, setting.variable()));
    }
    String property = properties.getOrDefault(setting.property(), "");
    return property.isEmpty()
        ? List.of()
        : Settings.read(setting, new Given(property, setting.property() + " in " + file));
  }

  private void addProperty(String name, String text) {
    String wanted = name.replace('-', '.');
    String source = name + " in " + file;
    @Nullable String relay = name.startsWith(RELAY_PROPERTY) ? relayOfProperty(name, source) : null;
    String prefix = relay == null ? Setting.PROPERTY_PREFIX : RELAY_PROPERTY + relay + ".";
    // A dash is as good as a dot, but in the name of a relay it is what it is.
    String key = relay == null ? wanted : prefix + wanted.substring(prefix.length());
    String other = seen.put(key, name);
    if (other != null) {
      throw new SettingException(
          "%s and %s in %s are one setting; leave one of them out".formatted(other, name, file));
    }
    Setting<?> setting =
        setting(key, prefix, Setting.PROPERTY_PREFIX, Setting::property, relay, source);
    add(relay, setting, text, source);
  }

  private String relayOfProperty(String name, String source) {
    String relay = name.substring(RELAY_PROPERTY.length()).replaceFirst("[.].*", "");
    if (!relays.contains(relay) || !name.startsWith(RELAY_PROPERTY + relay + ".")) {
      throw unknownRelay(source);
    }
    return relay;
  }

  private void addVariable(String name, String text) {
    if (!name.startsWith(Setting.VARIABLE_PREFIX) || NOT_SETTINGS.contains(name)) {
      return;
    }
    @Nullable String relay = name.startsWith(RELAY_VARIABLE) ? relayOfVariable(name) : null;
    String prefix = relay == null ? Setting.VARIABLE_PREFIX : relayVariable(relay);
    Setting<?> setting =
        setting(name, prefix, Setting.VARIABLE_PREFIX, Setting::variable, relay, "");
    add(relay, setting, text, name);
  }

  /** The relay that a variable is for: that of the longest name that fits. */
  private String relayOfVariable(String name) {
    return relays.stream()
        .filter(relay -> name.startsWith(relayVariable(relay)))
        .max(Comparator.comparingInt(String::length))
        .orElseThrow(() -> unknownRelay("environment variable " + name));
  }

  private static String relayVariable(String relay) {
    return RELAY_VARIABLE + relay.toUpperCase(Locale.ROOT).replace('-', '_') + "_";
  }

  private SettingException unknownRelay(String source) {
    return new SettingException(
        relays.isEmpty()
            ? "%s is for one of several relays, and relays is not set; %s"
                .formatted(source, ProcessSettings.RELAYS.howToSet())
            : "%s is for none of the relays %s; add its relay to relays, or leave it out"
                .formatted(source, String.join(",", relays)));
  }

  /**
   * The setting that a name stands for.
   *
   * @param prefix what precedes the setting in the name, which {@code usual} does in {@code known}
   * @param source where the name is, or empty for the environment
   */
  private static Setting<?> setting(
      String name,
      String prefix,
      String usual,
      Function<Setting<?>, String> known,
      @Nullable String relay,
      String source) {
    List<String> names = new ArrayList<>();
    for (Setting<?> setting : ServerSettings.ALL) {
      boolean applies = relay == null || ServerSettings.RELAY_SETTINGS.contains(setting);
      String candidate = prefix + known.apply(setting).substring(usual.length());
      if (candidate.equals(name) && applies) {
        return setting;
      }
      if (candidate.equals(name)) {
        throw new SettingException(
            "%s: %s is a setting of the whole process, not of one relay; write %s"
                .formatted(source.isEmpty() ? name : source, setting.name(), known.apply(setting)));
      }
      if (applies) {
        names.add(candidate);
      }
    }
    throw new SettingException(
        "unknown %s%s"
            .formatted(
                source.isEmpty() ? "environment variable " + name : "setting " + source,
                Suggestion.didYouMean(name, names)));
  }

  /** Empty is as good as absent: that is how a variable is unset in many tools. */
  private void add(@Nullable String relay, Setting<?> setting, String text, String source) {
    if (!text.isEmpty()) {
      Map<String, Given> scope =
          relay == null ? given : givenForRelays.computeIfAbsent(relay, r -> new HashMap<>());
      scope.put(setting.name(), new Given(text, source));
    }
  }
}
