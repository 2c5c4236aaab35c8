package dev.postcommit.server.terminal;

import java.io.PrintStream;
import java.util.List;

/** Lines that are refreshed in place on a terminal. */
public final class LiveBlock {
  private static final String NO_WRAP = "\u001b[?7l";
  private static final String WRAP = "\u001b[?7h";
  private static final String CLEAR_BELOW = "\u001b[J";

  private final PrintStream out;
  private int height;

  public LiveBlock(PrintStream out) {
    this.out = out;
  }

  /** Replaces the lines shown before; long lines are cut off. */
  public void show(List<String> lines) {
    StringBuilder text = new StringBuilder(NO_WRAP);
    if (height > 0) {
      text.append("\u001b[").append(height).append('A');
    }
    text.append(CLEAR_BELOW);
    lines.forEach(line -> text.append(line).append('\n'));
    out.print(text.append(WRAP));
    out.flush();
    height = lines.size();
  }
}
