package dev.postcommit.server.terminal;

import dev.postcommit.server.settings.Settings;
import dev.postcommit.settings.Setting;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The base class of all commands. */
public abstract class CliCommand implements Callable<Integer> {

  @Spec
  @SuppressWarnings("NullAway.Init") // set before anything is called
  private CommandSpec spec;

  @Option(
      names = {"--stacktrace", "--verbose"},
      order = 900,
      description = "Show the stack trace of an error.")
  private boolean stacktrace;

  @SuppressWarnings("NullAway.Init") // as that
  private Terminal terminal;

  /** Sets the outside world that the command sees, before it is called. */
  public final void use(Terminal outside) {
    terminal = outside;
  }

  /** Runs the command and returns its {@linkplain ExitCode exit code}. */
  @Override
  public abstract Integer call() throws Exception;

  /** The settings that this command takes as options. */
  public List<Setting<?>> uses() {
    return List.of();
  }

  /**
   * A line about this command among the first steps that the help of all commands shows, or empty.
   */
  public String firstStep() {
    return "";
  }

  /** The outside world of this command. */
  protected final Terminal terminal() {
    return terminal;
  }

  /** Where results go. */
  protected final PrintStream out() {
    return terminal.out();
  }

  /** The error for an option or argument that is missing or wrong. */
  protected final ParameterException wrongUsage(String problem) {
    return new ParameterException(spec.commandLine(), problem);
  }

  /** Adds variables to the environment. */
  protected final void seeAlso(Map<String, String> variables) {
    terminal = terminal.with(variables);
  }

  /** Picocli's model of this command. */
  protected final CommandSpec spec() {
    return spec;
  }

  public final boolean wantsStacktrace() {
    return stacktrace;
  }

  /** The settings from all sources. */
  public Settings settings() {
    ParseResult parsed = spec.commandLine().getParseResult();
    Map<String, String> flags = new HashMap<>();
    for (Setting<?> setting : uses()) {
      if (parsed.hasMatchedOption(setting.flag())) {
        List<String> values = parsed.matchedOption(setting.flag()).stringValues();
        flags.put(setting.name(), String.join("\n", values));
      }
    }
    @Nullable Path config = parsed.matchedOptionValue(Settings.CONFIG_FLAG, null);
    return Settings.read(flags, config, terminal.environment(), terminal.directory());
  }
}
