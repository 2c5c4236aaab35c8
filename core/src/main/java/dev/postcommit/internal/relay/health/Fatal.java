package dev.postcommit.internal.relay.health;

/**
 * Tells errors that a thread can survive from those after which the process is not to be trusted.
 */
public final class Fatal {
  private Fatal() {}

  /**
   * Whether the virtual machine itself is in trouble. A stack that overflowed is whole again, and
   * everything else concerns only the code that was called.
   */
  public static boolean is(Throwable e) {
    return e instanceof VirtualMachineError && !(e instanceof StackOverflowError);
  }

  /** Throws {@code e} again if it is fatal. */
  public static void rethrow(Throwable e) {
    if (e instanceof Error error && is(e)) {
      throw error;
    }
  }
}
