package dev.postcommit.demo.run;

import dev.postcommit.server.terminal.Terminal;

/** A line that is refreshed in place on a terminal, and printed repeatedly elsewhere. */
final class ProgressLine {
  private static final String TO_LINE_START_AND_CLEAR = "\r\u001b[K";

  private final Terminal terminal;
  private boolean open;

  /** A line on the terminal's output. */
  ProgressLine(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Replaces the text shown before. */
  void show(String text) {
    if (terminal.interactive()) {
      terminal.out().print(TO_LINE_START_AND_CLEAR + text);
      terminal.out().flush();
      open = true;
    } else {
      terminal.out().println(text);
    }
  }

  /** Keeps the current lines; other output may follow. */
  void end() {
    if (open) {
      terminal.out().println();
      open = false;
    }
  }
}
