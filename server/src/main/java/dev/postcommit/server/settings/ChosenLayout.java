package dev.postcommit.server.settings;

import dev.postcommit.PostcommitException;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.LayoutFile;
import dev.postcommit.layout.LayoutSettings;
import dev.postcommit.layout.LayoutSettings.Variable;
import dev.postcommit.server.settings.Settings.Given;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The layout that the settings choose, and what it says about other settings. */
public final class ChosenLayout {
  private ChosenLayout() {}

  /**
   * The preset that is named, or the layout in a file.
   *
   * @throws SettingException if both are given, or the file is not a layout
   */
  public static Layout of(Settings settings) {
    return settings
        .find(ServerSettings.LAYOUT_FILE)
        .map(file -> described(file, settings))
        .orElseGet(() -> preset(settings));
  }

  private static Layout described(Path file, Settings settings) {
    for (Setting<?> other : List.of(ServerSettings.LAYOUT, ServerSettings.TABLE)) {
      if (settings.isGiven(other)) {
        throw new SettingException(
            "%s and %s are both given, and the file says what both would; leave %s out"
                .formatted(ServerSettings.LAYOUT_FILE.name(), other.name(), other.name()));
      }
    }
    try {
      return LayoutFile.read(file);
    } catch (IllegalArgumentException | PostcommitException e) {
      throw new SettingException("layout-file: " + e.getMessage());
    }
  }

  private static Layout preset(Settings settings) {
    String name = settings.get(ServerSettings.LAYOUT);
    return settings
        .find(ServerSettings.TABLE)
        .map(table -> Layout.preset(name, table))
        .orElseGet(() -> Layout.preset(name));
  }

  /**
   * The value of a setting that is not given: of a variable of the system that the layout belongs
   * to, or else the layout's default.
   */
  static Optional<Given> implied(
      Setting<?> setting, Settings settings, Map<String, String> environment) {
    if (!LayoutSettings.NAMES.contains(setting.name())
        && !setting.equals(ServerSettings.MAX_ATTEMPTS)) {
      return Optional.empty();
    }
    Layout layout = of(settings);
    for (Variable variable : layout.settings().variables()) {
      String text = environment.getOrDefault(variable.name(), "");
      if (variable.setting().equals(setting.name()) && !text.isEmpty()) {
        return Optional.of(new Given(translate(variable, text, setting), variable.name()));
      }
    }
    @Nullable String text = layout.settings().defaults().get(setting.name());
    return Optional.ofNullable(text)
        .map(
            value ->
                new Given(
                    value, "setting.%s of the %s layout".formatted(setting.name(), layout.name())));
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
