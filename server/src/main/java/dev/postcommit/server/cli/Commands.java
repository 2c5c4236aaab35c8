package dev.postcommit.server.cli;

import dev.postcommit.server.cli.dead.DeadCommand;
import dev.postcommit.server.cli.dlt.DltCommand;
import dev.postcommit.server.console.CliCommand;
import dev.postcommit.server.console.Console;
import dev.postcommit.server.console.SettingOptions;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Puts the command line together. */
public final class Commands {
  private static final int HELP_WIDTH = 100;

  private Commands() {}

  /** The command line with {@code extras}. */
  public static CommandLine line(Console console, Extras extras) {
    CommandLine topics =
        new CommandLine(new TopicsCommand(console)).addSubcommand(new TopicsGiveUpCommand(console));
    CommandLine root = new CommandLine(new RootCommand(console));
    extras.commands().forEach(root::addSubcommand);
    root.addSubcommand(new RelayCommand(console, extras.sandbox()))
        .addSubcommand(new MigrateCommand(console))
        .addSubcommand(new GrantsCommand(console))
        .addSubcommand(new StatusCommand(console))
        .addSubcommand(new PauseCommand(console))
        .addSubcommand(new ResumeCommand(console))
        .addSubcommand(topics)
        .addSubcommand(DeadCommand.line(console))
        .addSubcommand(DltCommand.line(console))
        .addSubcommand(new PruneCommand(console))
        .addSubcommand(new HelpCommand());
    complete(root);
    addFirstSteps(root, extras.commands());
    Errors errors = new Errors();
    return root.setUsageHelpWidth(HELP_WIDTH)
        .setAbbreviatedOptionsAllowed(false)
        .setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8))
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors);
  }

  private static void addFirstSteps(CommandLine root, List<CliCommand> commands) {
    UsageMessageSpec usage = root.getCommandSpec().usageMessage();
    Stream<String> steps =
        commands.stream().map(CliCommand::firstStep).filter(step -> !step.isEmpty());
    usage.footer(Stream.concat(steps, Stream.of(usage.footer())).toArray(String[]::new));
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
