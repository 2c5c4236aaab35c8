package dev.postcommit.server.terminal;

import dev.postcommit.server.table.JsonObject;
import java.util.List;
import picocli.CommandLine.Option;

/** The option {@code --json}, and the choice that follows from it. */
public final class JsonOption {

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  /** Whether JSON is wanted. */
  public boolean isSet() {
    return json;
  }

  /** Prints a result in the form that is wanted; returns the exit code of success. */
  public int print(CliCommand command, JsonObject document, List<String> lines) {
    if (json) {
      document.print(command.out());
    } else {
      lines.forEach(command.out()::println);
    }
    return ExitCode.OK;
  }
}
