package dev.postcommit.spring.settings;

import dev.postcommit.settings.BrokerSettings;
import dev.postcommit.settings.Setting;
import dev.postcommit.settings.SettingException;
import dev.postcommit.settings.SettingValues;
import dev.postcommit.support.Suggestion;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The values of settings in Spring's environment, by any name that Spring's binder accepts. */
public final class SpringSettings extends SettingValues {
  private static final ConfigurationPropertyName PREFIX =
      ConfigurationPropertyName.of("postcommit");

  private final Iterable<ConfigurationPropertySource> sources;
  private final Binder binder;

  /** The values of an environment, unchecked. */
  public SpringSettings(Environment environment) {
    sources = ConfigurationPropertySources.get(environment);
    binder = Binder.get(environment);
  }

  /**
   * The values of an environment.
   *
   * @throws SettingException if a name is unknown or a value is invalid
   */
  public static SpringSettings checked(Environment environment) {
    SpringSettings settings = new SpringSettings(environment);
    settings.sources.forEach(SpringSettings::checkNames);
    StarterSettings.ALL.stream()
        .filter(setting -> !setting.equals(BrokerSettings.KAFKA_CONFIG))
        .forEach(settings::find);
    return settings;
  }

  /** The properties of Kafka's clients, which Spring binds one by one. */
  public Map<String, String> kafkaConfig() {
    return binder
        .bind(BrokerSettings.KAFKA_CONFIG.property(), Bindable.mapOf(String.class, String.class))
        .orElse(Map.of());
  }

  /** The value of any property, whether it is one of Postcommit's or not. */
  public @Nullable String text(String property) {
    return binder.bind(property, String.class).orElse(null);
  }

  /** The values of any property that is a list; empty if it is not set. */
  public List<String> texts(String property) {
    return binder.bind(property, Bindable.listOf(String.class)).orElse(List.of());
  }

  @Override
  protected Optional<Given> given(Setting<?> setting) {
    return Optional.ofNullable(textOf(setting))
        .filter(text -> !text.isEmpty())
        .map(text -> new Given(word(setting, text), nameOf(setting), ""));
  }

  /** Spring accepts constants in upper and lower case, and with any separator. */
  private static String word(Setting<?> setting, String text) {
    return setting.reader().choices().stream()
        .filter(choice -> letters(choice).equals(letters(text)))
        .findFirst()
        .orElse(text);
  }

  private static String letters(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
  }

  private @Nullable String textOf(Setting<?> setting) {
    if (setting.equals(BrokerSettings.KAFKA_CONFIG)) {
      return String.join(",", kafkaConfig().keySet());
    }
    return setting.reader().type() == List.class
        ? String.join(",", texts(setting.property()))
        : text(setting.property());
  }

  /** The name as the user wrote it, or else as documented. */
  @Override
  protected String nameOf(Setting<?> setting) {
    ConfigurationPropertyName name = ConfigurationPropertyName.of(setting.property());
    for (ConfigurationPropertySource source : sources) {
      @Nullable ConfigurationProperty found = source.getConfigurationProperty(name);
      if (found != null) {
        return written(found);
      }
    }
    return setting.property();
  }

  private static String written(ConfigurationProperty property) {
    return property.getOrigin() instanceof PropertySourceOrigin origin
        ? origin.getPropertyName()
        : property.getName().toString();
  }

  @Override
  public String howToSet(Setting<?> setting) {
    return "set " + setting.property();
  }

  /** Environment variables and system properties may be meant for others, as Spring has it. */
  private static void checkNames(ConfigurationPropertySource source) {
    if (source instanceof IterableConfigurationPropertySource names
        && new UnboundElementsSourceFilter().apply(source)
        && !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
      names.stream().filter(PREFIX::isAncestorOf).forEach(name -> checkName(name, source));
    }
  }

  private static void checkName(
      ConfigurationPropertyName name, ConfigurationPropertySource source) {
    if (StarterSettings.ALL.stream().noneMatch(setting -> names(name, setting))) {
      @Nullable ConfigurationProperty property = source.getConfigurationProperty(name);
      String written = property == null ? name.toString() : written(property);
      throw new SettingException(
          "unknown setting "
              + written
              + Suggestion.didYouMean(
                  written, StarterSettings.ALL.stream().map(Setting::property).toList()));
    }
  }

  private static boolean names(ConfigurationPropertyName name, Setting<?> setting) {
    ConfigurationPropertyName known = ConfigurationPropertyName.of(setting.property());
    boolean hasParts =
        setting.reader().type() == Map.class || setting.reader().type() == List.class;
    return known.equals(name) || (hasParts && known.isAncestorOf(name));
  }
}
