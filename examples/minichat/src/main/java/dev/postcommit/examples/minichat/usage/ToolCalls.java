package dev.postcommit.examples.minichat.usage;

/** How often a turn used each of the tools. */
public record ToolCalls(int webSearch, int codeInterpreter, int fileSearch) {

  /** Of a turn that used none. */
  public static final ToolCalls NONE = new ToolCalls(0, 0, 0);

  /** Refuses negative counts. */
  public ToolCalls {
    if (webSearch < 0 || codeInterpreter < 0 || fileSearch < 0) {
      throw new IllegalArgumentException("calls must not be negative");
    }
  }
}
