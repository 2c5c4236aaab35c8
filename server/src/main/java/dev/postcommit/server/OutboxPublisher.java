package dev.postcommit.server;

/** The process {@code outbox-publisher}: a relay, unless its arguments begin with a command. */
public final class OutboxPublisher {
  private static final String RELAY = "relay";

  private OutboxPublisher() {}

  /** Runs a relay or another command, and ends the process with its exit code. */
  public static void main(String[] args) {
    Main.main(command(args));
  }

  /** The arguments as the command line takes them; options alone are those of a relay. */
  static String[] command(String... args) {
    if (args.length > 0 && !args[0].startsWith("-")) {
      return args;
    }
    String[] relay = new String[args.length + 1];
    relay[0] = RELAY;
    System.arraycopy(args, 0, relay, 1, args.length);
    return relay;
  }
}
