package dev.postcommit.server;

import dev.postcommit.server.terminal.Terminal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A relay with settings from its flags alone, whatever the environment says, that serves nothing by
 * HTTP.
 */
public final class RelayProcess {
  private RelayProcess() {}

  /** Runs the command {@code relay} and ends the process with its exit code. */
  public static void main(String[] args) {
    List<String> command = new ArrayList<>(List.of("relay", "--http-port", "off"));
    command.addAll(Arrays.asList(args));
    Terminal terminal = Terminal.ofProcess(Map.of());
    terminal.termination().exit(Main.run(terminal, command.toArray(String[]::new)));
  }
}
