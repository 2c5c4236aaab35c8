package dev.postcommit.server.console;

/** One line that is written over and over on a terminal, and line after line elsewhere. */
public final class ProgressLine {
  private static final String TO_LINE_START_AND_CLEAR = "\r\u001b[K";

  private final Console console;
  private boolean open;

  /** A line on the console's output. */
  public ProgressLine(Console console) {
    this.console = console;
  }

  /** Shows {@code text} in the place of what was shown before. */
  public void show(String text) {
    if (console.terminal()) {
      console.out().print(TO_LINE_START_AND_CLEAR + text);
      console.out().flush();
      open = true;
    } else {
      console.out().println(text);
    }
  }

  /** Leaves what was shown last where it is; other output may follow. */
  public void end() {
    if (open) {
      console.out().println();
      open = false;
    }
  }
}
