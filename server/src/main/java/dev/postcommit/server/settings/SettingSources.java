package dev.postcommit.server.settings;

import dev.postcommit.internal.Suggestion;
import dev.postcommit.server.settings.Settings.Given;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts flags, environment and file together, and refuses what it does not know. */
final class SettingSources {
  private static final String CONFIG_VARIABLE = Setting.VARIABLE_PREFIX + "CONFIG";
  private static final String RELAY_PROPERTY = Setting.PROPERTY_PREFIX + "relay.";
  private static final String RELAY_VARIABLE = Setting.VARIABLE_PREFIX + "RELAY_";

  private final Map<String, String> flags;
  private final Map<String, String> environment;
  private final Map<String, String> properties;
  private final Path file;
  private final Map<String, Given> given = new HashMap<>();
  private final Map<String, Map<String, Given>> givenForRelays = new HashMap<>();
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
    flags.forEach((name, text) -> given.put(name, new Given(text, "--" + name)));
    return new Settings(given, givenForRelays);
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
    String source = name + " in " + file;
    if (name.startsWith(RELAY_PROPERTY)) {
      String rest = name.substring(RELAY_PROPERTY.length());
      String relay = rest.replaceFirst("[.].*", "");
      if (!relays.contains(relay)) {
        throw new SettingException(
            "unknown relay %s in %s; %s"
                .formatted(
                    relay,
                    source,
                    relays.isEmpty()
                        ? "put postcommit.relays=" + relay + " into the file as well"
                        : "relays is " + String.join(",", relays)));
      }
      String bare =
          Setting.PROPERTY_PREFIX + rest.substring(Math.min(rest.length(), relay.length() + 1));
      add(relay, property(bare, ServerSettings.RELAY_SETTINGS, name), text, source);
    } else {
      add(null, property(name, ServerSettings.ALL, name), text, source);
    }
  }

  /** The setting of a property, in which a dash is as good as a dot. */
  private Setting<?> property(String name, List<Setting<?>> known, String shown) {
    String wanted = name.replace('-', '.');
    return known.stream()
        .filter(setting -> setting.property().equals(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                new SettingException(
                    "unknown setting %s in %s%s"
                        .formatted(
                            shown,
                            file,
                            Suggestion.didYouMean(
                                name, known.stream().map(Setting::property).toList()))));
  }

  private void addVariable(String name, String text) {
    if (!name.startsWith(Setting.VARIABLE_PREFIX) || name.equals(CONFIG_VARIABLE)) {
      return;
    }
    @Nullable String relay = relayOfVariable(name);
    if (relay == null) {
      add(null, variable(name, "", ServerSettings.ALL), text, name);
    } else {
      String prefix = relayVariable(relay).substring(Setting.VARIABLE_PREFIX.length());
      add(relay, variable(name, prefix, ServerSettings.RELAY_SETTINGS), text, name);
    }
  }

  /** The relay that a variable is for: that of the longest name that fits. */
  private @Nullable String relayOfVariable(String name) {
    @Nullable String longest = null;
    for (String relay : relays) {
      if (name.startsWith(relayVariable(relay))
          && (longest == null || relay.length() > longest.length())) {
        longest = relay;
      }
    }
    return longest;
  }

  private static String relayVariable(String relay) {
    return RELAY_VARIABLE + relay.toUpperCase(Locale.ROOT).replace('-', '_') + "_";
  }

  private static Setting<?> variable(String name, String prefix, List<Setting<?>> known) {
    List<String> names = new ArrayList<>();
    for (Setting<?> setting : known) {
      String variable =
          Setting.VARIABLE_PREFIX
              + prefix
              + setting.variable().substring(Setting.VARIABLE_PREFIX.length());
      if (variable.equals(name)) {
        return setting;
      }
      names.add(variable);
    }
    throw new SettingException(
        "unknown environment variable " + name + Suggestion.didYouMean(name, names));
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
