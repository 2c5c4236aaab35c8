package dev.postcommit.server.console;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * All that a command sees of the outside world.
 *
 * @param environment the variables of the environment
 * @param user who runs the command, as the system knows them
 * @param directory what relative paths are relative to
 * @param in where answers to questions come from
 * @param out results
 * @param err errors and questions
 * @param terminal whether a person sits at the other end
 * @param termination how the command learns that it is to end
 */
public record Console(
    Map<String, String> environment,
    String user,
    Path directory,
    InputStream in,
    PrintStream out,
    PrintStream err,
    boolean terminal,
    Termination termination) {

  /** The property by which the launcher says that a terminal is there; Java cannot tell. */
  private static final String TERMINAL = "postcommit.terminal";

  /** The console of this process. */
  public static Console ofProcess(Map<String, String> environment) {
    return new Console(
        environment,
        System.getProperty("user.name", ""),
        Path.of(""),
        System.in,
        stream(FileDescriptor.out),
        stream(FileDescriptor.err),
        Boolean.getBoolean(TERMINAL),
        Termination.ofProcess());
  }

  /** This console with further variables of the environment. */
  Console with(Map<String, String> variables) {
    Map<String, String> all = new HashMap<>(environment);
    all.putAll(variables);
    return new Console(Map.copyOf(all), user, directory, in, out, err, terminal, termination);
  }

  /** Payloads are shown as they are, whatever the locale. */
  private static PrintStream stream(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }
}
