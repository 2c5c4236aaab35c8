package dev.postcommit.server.cli;

import dev.postcommit.server.settings.DatabaseSettings;
import dev.postcommit.server.table.DatabaseFailures;
import dev.postcommit.server.table.Failure;
import dev.postcommit.server.table.OutboxTable;
import dev.postcommit.server.terminal.CliCommand;
import dev.postcommit.server.terminal.ExitCode;
import dev.postcommit.settings.SettingException;
import dev.postcommit.support.Suggestion;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns failures into one line, or one line per list item, and an exit code. */
final class Errors implements IParameterExceptionHandler, IExecutionExceptionHandler {

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    print(command, firstLine(name + ": " + wrongUsage(e) + " (see '" + name + " --help')"));
    return ExitCode.USAGE;
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine line, ParseResult parsed) {
    CliCommand command = line.getCommand();
    String text = line.getCommandSpec().qualifiedName() + ": " + reason(e, command);
    print(line, e instanceof Failure ? text : firstLine(text));
    if (command.wantsStacktrace()) {
      e.printStackTrace(line.getErr());
      line.getErr().flush();
    }
    return e instanceof SettingException ? ExitCode.USAGE : ExitCode.FAILED;
  }

  private static void print(CommandLine line, String text) {
    PrintWriter err = line.getErr();
    err.println(text);
    err.flush();
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }

  private static String reason(Exception e, CliCommand command) {
    if (e instanceof SettingException || e instanceof Failure) {
      return String.valueOf(e.getMessage());
    }
    if (command.uses().contains(DatabaseSettings.DATABASE_URL)) {
      String explained =
          DatabaseFailures.explain(e, OutboxTable.of(command.settings())).orElse(null);
      if (explained != null) {
        return explained;
      }
    }
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }

  private static String wrongUsage(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()) {
      return unknown(unmatched);
    }
    String message = String.valueOf(e.getMessage());
    return message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
  }

  private static String unknown(UnmatchedArgumentException e) {
    String given = e.getUnmatched().get(0).replaceFirst("=.*", "");
    CommandLine line = e.getCommandLine();
    if (given.startsWith("-")) {
      List<String> options = List.copyOf(line.getCommandSpec().optionsMap().keySet());
      return "unknown option " + given + Suggestion.didYouMean(given, options);
    }
    if (line.getSubcommands().isEmpty()) {
      return "unexpected argument '" + given + "'";
    }
    return "unknown command '"
        + given
        + "'"
        + Suggestion.didYouMean(given, line.getSubcommands().keySet());
  }
}
