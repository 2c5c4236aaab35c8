package dev.postcommit.server;

import java.util.Set;

/** The process {@code outbox-publisher}: a relay, unless its arguments begin with a command. */
public final class OutboxPublisher {
  /** The options of the command line itself. */
  private static final Set<String> GENERAL = Set.of("--help", "-h", "--version", "-V");

  private static final String RELAY = "relay";

  private OutboxPublisher() {}

  /** Runs a relay or another command, and ends the process with its exit code. */
  public static void main(String[] args) {
    Main.main(command(args));
  }

  /** The arguments of the command line; options without a command are those of a relay. */
  static String[] command(String... args) {
    if (args.length > 0 && (!args[0].startsWith("-") || GENERAL.contains(args[0]))) {
      return args;
    }
    String[] relay = new String[args.length + 1];
    relay[0] = RELAY;
    System.arraycopy(args, 0, relay, 1, args.length);
    return relay;
  }
}
