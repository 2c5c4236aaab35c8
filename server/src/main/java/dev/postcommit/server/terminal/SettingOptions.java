package dev.postcommit.server.terminal;

import dev.postcommit.server.settings.Settings;
import dev.postcommit.settings.Setting;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Adds settings to a command as options. */
public final class SettingOptions {
  private static final String HEADING =
      "%nSettings, by option, environment variable (POSTCOMMIT_DATABASE_URL) or property in a file%n"
          + "(postcommit.database-url), in this order of precedence:%n";

  private SettingOptions() {}

  public static void addTo(CommandSpec command, List<Setting<?>> settings) {
    if (settings.isEmpty()) {
      return;
    }
    ArgGroupSpec.Builder group = ArgGroupSpec.builder().validate(false).heading(HEADING);
    int order = 0;
    for (Setting<?> setting : settings) {
      group.addArg(option(setting).order(order++).build());
    }
    group.addArg(
        OptionSpec.builder(Settings.CONFIG_FLAG)
            .order(order)
            .type(Path.class)
            .paramLabel("<file>")
            .description(
                "The file of settings. Default: the one that POSTCOMMIT_CONFIG names, or else"
                    + " postcommit.properties in the working directory if it exists.")
            .build());
    command.addArgGroup(group.build());
  }

  private static OptionSpec.Builder option(Setting<?> setting) {
    String description = setting.description().replace("%", "%%");
    if (setting.defaultText() != null) {
      description += " Default: " + setting.defaultText() + ".";
    }
    OptionSpec.Builder option =
        OptionSpec.builder(setting.flag())
            .paramLabel("<" + setting.label() + ">")
            .description(description);
    return setting.isRepeatable()
        ? option.type(List.class).auxiliaryTypes(String.class)
        : option.type(String.class);
  }
}
