package dev.postcommit.server.settings;

import dev.postcommit.layout.Layout;
import dev.postcommit.layout.LayoutSettings;
import dev.postcommit.layout.LayoutSettings.Variable;
import dev.postcommit.settings.ConfiguredLayout;
import dev.postcommit.settings.RelaySettings;
import dev.postcommit.settings.Setting;
import dev.postcommit.settings.SettingException;
import dev.postcommit.settings.SettingValues.Given;
import java.util.Map;
import java.util.Optional;

/** Settings from the environment variables of the system that the table belongs to. */
final class LayoutVariables {
  private LayoutVariables() {}

  /** The value that a variable of the system that the layout belongs to has for a setting. */
  static Optional<Given> find(
      Setting<?> setting, Settings settings, Map<String, String> environment) {
    if (!LayoutSettings.NAMES.contains(setting.name())
        && !setting.equals(RelaySettings.MAX_ATTEMPTS)) {
      return Optional.empty();
    }
    Layout layout = ConfiguredLayout.chosen(settings);
    for (Variable variable : layout.settings().variables()) {
      String text = environment.getOrDefault(variable.name(), "");
      if (variable.setting().equals(setting.name()) && !text.isEmpty()) {
        return Optional.of(new Given(translate(variable, text, setting), variable.name(), ""));
      }
    }
    return Optional.empty();
  }

  private static String translate(Variable variable, String text, Setting<?> setting) {
    String value;
    try {
      value = variable.settingValue(text);
    } catch (IllegalArgumentException e) {
      throw refused(
          variable,
          text,
          "%s; for any other %s set %s"
              .formatted(e.getMessage(), setting.label(), setting.variable()));
    }
    try {
      Object unused = setting.reader().read(value);
      return value;
    } catch (IllegalArgumentException e) {
      throw refused(variable, text, String.valueOf(e.getMessage()));
    }
  }

  private static SettingException refused(Variable variable, String text, String why) {
    return new SettingException("%s: '%s' %s".formatted(variable.name(), text, why));
  }
}
