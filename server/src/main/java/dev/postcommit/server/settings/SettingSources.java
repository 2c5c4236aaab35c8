package dev.postcommit.server.settings;

import dev.postcommit.settings.Setting;
import dev.postcommit.settings.SettingException;
import dev.postcommit.settings.SettingValues.Given;
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
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Combines options, environment and file, and refuses unknown names. */
final class SettingSources {
  private static final String CONFIG_VARIABLE = Setting.VARIABLE_PREFIX + "CONFIG";

  /** The second belongs to Postcommit's own build, whose shell may also start relays. */
  private static final Set<String> NOT_SETTINGS =
      Set.of(CONFIG_VARIABLE, Setting.VARIABLE_PREFIX + "TEST_ALL");

  private static final String RELAY_PROPERTY = Setting.PROPERTY_PREFIX + "relay.";
  private static final String RELAY_VARIABLE = Setting.VARIABLE_PREFIX + "RELAY_";

  /**
   * How settings are named in one source.
   *
   * @param prefix of all names
   * @param name of a setting
   * @param plain a name with the choice between spellings taken out
   * @param unknown introduces a name that no setting has
   */
  private record Naming(
      String prefix,
      Function<Setting<?>, String> name,
      UnaryOperator<String> plain,
      String unknown) {}

  private static final Naming VARIABLES =
      new Naming(
          Setting.VARIABLE_PREFIX,
          Setting::variable,
          UnaryOperator.identity(),
          "unknown environment variable ");

  /** Dots and dashes are interchangeable. */
  private static final Naming PROPERTIES =
      new Naming(
          Setting.PROPERTY_PREFIX,
          Setting::property,
          name -> name.replace('-', '.'),
          "unknown setting ");

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

  /** All settings; later sources take precedence. */
  Settings settings() {
    relays = relays();
    properties.forEach(this::addProperty);
    environment.forEach(this::addVariable);
    Map<String, Given> first = new HashMap<>();
    flags.forEach((name, text) -> first.put(name, new Given(text, "--" + name, "")));
    return new Settings(first, given, givenForRelays, environment);
  }

  /** The names of the relays, which must be known before anything else is read. */
  private List<String> relays() {
    Setting<List<String>> setting = ProcessSettings.RELAYS;
    return Stream.of(
            new Given(flags.getOrDefault(setting.name(), ""), setting.flag(), ""),
            new Given(environment.getOrDefault(setting.variable(), ""), setting.variable(), ""),
            new Given(properties.getOrDefault(setting.property(), ""), setting.property(), place()))
        .filter(given -> !given.text().isEmpty())
        .findFirst()
        .map(given -> given.read(setting))
        .orElse(List.of());
  }

  private String place() {
    return " in " + file;
  }

  private void addProperty(String name, String text) {
    Given property = new Given(text, name, place());
    @Nullable String relay = name.startsWith(RELAY_PROPERTY) ? relayOfProperty(name) : null;
    String prefix = relay == null ? Setting.PROPERTY_PREFIX : RELAY_PROPERTY + relay + ".";
    Setting<?> setting = setting(property, prefix, PROPERTIES, relay);
    String other = seen.put(prefix + setting.name(), name);
    if (other != null) {
      throw new SettingException(
          "%s and %s in %s are one setting; leave one of them out".formatted(other, name, file));
    }
    add(property, setting, relay);
  }

  private String relayOfProperty(String name) {
    String relay = name.substring(RELAY_PROPERTY.length()).replaceFirst("[.].*", "");
    if (!relays.contains(relay) || !name.startsWith(RELAY_PROPERTY + relay + ".")) {
      throw unknownRelay(name + place());
    }
    return relay;
  }

  private void addVariable(String name, String text) {
    if (!name.startsWith(Setting.VARIABLE_PREFIX) || NOT_SETTINGS.contains(name)) {
      return;
    }
    @Nullable String relay = name.startsWith(RELAY_VARIABLE) ? relayOfVariable(name) : null;
    String prefix = relay == null ? Setting.VARIABLE_PREFIX : relayVariable(relay);
    Given variable = new Given(text, name, "");
    add(variable, setting(variable, prefix, VARIABLES, relay), relay);
  }

  /** The relay that a variable is for: the one with the longest matching name. */
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
                .formatted(source, Settings.waysToSet(ProcessSettings.RELAYS))
            : "%s is for none of the relays %s; add its relay to relays, or leave it out"
                .formatted(source, String.join(",", relays)));
  }

  /** Adds a value; an empty one counts as unset. */
  private void add(Given value, Setting<?> setting, @Nullable String relay) {
    if (!value.text().isEmpty()) {
      Map<String, Given> scope =
          relay == null ? given : givenForRelays.computeIfAbsent(relay, r -> new HashMap<>());
      scope.put(setting.name(), value);
    }
  }

  /** The setting whose name follows {@code prefix}. */
  private static Setting<?> setting(
      Given value, String prefix, Naming naming, @Nullable String relay) {
    String source = value.name() + value.place();
    String name = naming.plain().apply(value.name());
    List<String> names = new ArrayList<>();
    for (Setting<?> setting : ServerSettings.ALL) {
      boolean applies = relay == null || ServerSettings.RELAY_SETTINGS.contains(setting);
      String usual = naming.name().apply(setting);
      String known = prefix + usual.substring(naming.prefix().length());
      boolean named = value.name().startsWith(prefix) && naming.plain().apply(known).equals(name);
      if (named && applies) {
        return setting;
      }
      if (named) {
        throw new SettingException(
            "%s: %s is a setting of the whole process, not of one relay; write %s"
                .formatted(source, setting.name(), usual));
      }
      if (applies) {
        names.add(known);
      }
    }
    throw new SettingException(
        naming.unknown() + source + Suggestion.didYouMean(value.name(), names));
  }
}
