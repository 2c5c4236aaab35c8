package dev.postcommit.server;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;

/** Puts the command line together. */
final class Commands {
  private static final int HELP_WIDTH = 100;

  private Commands() {}

  static CommandLine line(Console console) {
    CommandLine dead =
        new CommandLine(new DeadCommand(console))
            .addSubcommand(new DeadListCommand(console))
            .addSubcommand(new DeadShowCommand(console))
            .addSubcommand(new DeadReplayCommand(console))
            .addSubcommand(new DeadDiscardCommand(console))
            .addSubcommand(new DeadAuditCommand(console));
    CommandLine dlt =
        new CommandLine(new DltCommand(console))
            .addSubcommand(new DltListCommand(console))
            .addSubcommand(new DltShowCommand(console))
            .addSubcommand(new DltReplayCommand(console));
    CommandLine root =
        new CommandLine(new RootCommand(console))
            .addSubcommand(new DemoCommand(console))
            .addSubcommand(new RelayCommand(console))
            .addSubcommand(new MigrateCommand(console))
            .addSubcommand(new StatusCommand(console))
            .addSubcommand(new PauseCommand(console))
            .addSubcommand(new ResumeCommand(console))
            .addSubcommand(dead)
            .addSubcommand(dlt)
            .addSubcommand(new PruneCommand(console))
            .addSubcommand(new HelpCommand());
    complete(root);
    Errors errors = new Errors();
    return root.setUsageHelpWidth(HELP_WIDTH)
        .setAbbreviatedOptionsAllowed(false)
        .setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8))
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors);
  }

  /** Gives each command what all have in common. */
  private static void complete(CommandLine line) {
    if (line.getCommand() instanceof CliCommand command) {
      CommandSpec spec = line.getCommandSpec();
      spec.mixinStandardHelpOptions(true).versionProvider(new Version());
      spec.usageMessage()
          .descriptionHeading("%n")
          .parameterListHeading("%nArguments:%n")
          .optionListHeading("%nOptions:%n")
          .commandListHeading("%nCommands:%n")
          .sortOptions(false);
      SettingOptions.addTo(spec, command.uses());
    }
    line.getSubcommands().values().forEach(Commands::complete);
  }
}
