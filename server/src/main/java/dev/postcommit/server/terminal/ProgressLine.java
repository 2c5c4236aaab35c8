package dev.postcommit.server.terminal;

/** One line that is written over and over on a terminal, and line after line elsewhere. */
public final class ProgressLine {
  private static final String TO_LINE_START_AND_CLEAR = "\r\u001b[K";

  private final Terminal terminal;
  private boolean open;

  /** A line on the terminal's output. */
  public ProgressLine(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Shows {@code text} in the place of what was shown before. */
  public void show(String text) {
    if (terminal.interactive()) {
      terminal.out().print(TO_LINE_START_AND_CLEAR + text);
      terminal.out().flush();
      open = true;
    } else {
      terminal.out().println(text);
    }
  }

  /** Leaves what was shown last where it is; other output may follow. */
  public void end() {
    if (open) {
      terminal.out().println();
      open = false;
    }
  }
}
