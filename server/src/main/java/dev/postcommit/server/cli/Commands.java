package dev.postcommit.server.cli;

import dev.postcommit.server.cli.dead.DeadCommand;
import dev.postcommit.server.cli.dlt.DltCommand;
import dev.postcommit.server.terminal.CliCommand;
import dev.postcommit.server.terminal.SettingOptions;
import dev.postcommit.server.terminal.Terminal;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Assembles the command line. */
public final class Commands {
  private static final int HELP_WIDTH = 100;

  private Commands() {}

  /** The command line with {@code extras}. */
  public static CommandLine line(Terminal terminal, Extras extras) {
    CommandLine root = new CommandLine(new RootCommand());
    extras.commands().forEach(root::addSubcommand);
    Stream.of(
            new RelayCommand(extras.sandbox()),
            new MigrateCommand(),
            new GrantsCommand(),
            new StatusCommand(),
            new PauseCommand(),
            new ResumeCommand(),
            new TopicsCommand(),
            new DeadCommand(),
            new DltCommand(),
            new PruneCommand(),
            new HelpCommand())
        .forEach(root::addSubcommand);
    complete(root, terminal);
    addFirstSteps(root, extras.commands());
    Errors errors = new Errors();
    return root.setUsageHelpWidth(HELP_WIDTH)
        .setAbbreviatedOptionsAllowed(false)
        .setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8))
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors);
  }

  private static void addFirstSteps(CommandLine root, List<CliCommand> commands) {
    UsageMessageSpec usage = root.getCommandSpec().usageMessage();
    Stream<String> steps =
        commands.stream().map(CliCommand::firstStep).filter(step -> !step.isEmpty());
    usage.footer(Stream.concat(steps, Stream.of(usage.footer())).toArray(String[]::new));
  }

  /** Configures what all commands have in common. */
  private static void complete(CommandLine line, Terminal terminal) {
    if (line.getCommand() instanceof CliCommand command) {
      command.use(terminal);
      CommandSpec spec = line.getCommandSpec();
      spec.mixinStandardHelpOptions(true).versionProvider(new Version());
      spec.usageMessage()
          .descriptionHeading("%n")
          .parameterListHeading("%nArguments:%n")
          .optionListHeading("%nOptions:%n")
          .commandListHeading("%nCommands:%n")
          .footerHeading(
              spec.usageMessage().footerHeading().isEmpty()
                  ? "%nExamples:%n"
                  : spec.usageMessage().footerHeading())
          .sortOptions(false);
      SettingOptions.addTo(spec, command.uses());
    }
    line.getSubcommands().values().forEach(each -> complete(each, terminal));
  }
}
