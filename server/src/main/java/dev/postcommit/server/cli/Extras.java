package dev.postcommit.server.cli;

import dev.postcommit.server.terminal.CliCommand;
import java.util.List;

/**
 * What a build of the command line has on top of the process itself.
 *
 * @param commands further commands, which come first in help
 * @param sandbox what {@code relay --sandbox} starts
 */
public record Extras(List<CliCommand> commands, Sandbox sandbox) {

  /** Keeps a copy of the list. */
  public Extras {
    commands = List.copyOf(commands);
  }

  /** None. */
  public static Extras none() {
    return new Extras(List.of(), Sandbox.none());
  }
}
