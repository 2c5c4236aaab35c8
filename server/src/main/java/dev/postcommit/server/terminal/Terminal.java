package dev.postcommit.server.terminal;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What a command sees of the outside world: streams, environment, user and signals.
 *
 * @param environment the variables of the environment
 * @param user the name of the operating-system user
 * @param directory what relative paths are relative to
 * @param in where answers to questions come from
 * @param out results
 * @param err errors and questions
 * @param interactive whether a person sits at the other end
 * @param termination tells the command when to stop
 */
public record Terminal(
    Map<String, String> environment,
    String user,
    Path directory,
    InputStream in,
    PrintStream out,
    PrintStream err,
    boolean interactive,
    Termination termination) {

  /** The system property with which the launcher reports a terminal; Java cannot detect it. */
  private static final String TERMINAL = "postcommit.terminal";

  /** The terminal of this process. */
  public static Terminal ofProcess(Map<String, String> environment) {
    return new Terminal(
        environment,
        System.getProperty("user.name", ""),
        Path.of(""),
        System.in,
        stream(FileDescriptor.out),
        stream(FileDescriptor.err),
        Boolean.getBoolean(TERMINAL),
        Termination.ofProcess());
  }

  /** This terminal with further variables of the environment. */
  Terminal with(Map<String, String> variables) {
    Map<String, String> all = new HashMap<>(environment);
    all.putAll(variables);
    return new Terminal(Map.copyOf(all), user, directory, in, out, err, interactive, termination);
  }

  /** Payloads are printed in UTF-8, whatever the locale. */
  private static PrintStream stream(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }
}
