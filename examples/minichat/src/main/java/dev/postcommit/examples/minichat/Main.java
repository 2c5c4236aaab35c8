package dev.postcommit.examples.minichat;

import dev.postcommit.testkit.postgres.PostgresServer;

/** Runs Mini Chat on a Postgres of its own: {@code ./postcommit example minichat}. */
public final class Main {
  private static final int REQUESTS = 600;

  private Main() {}

  /** Runs it, and exits with 0 if all is as it should be. */
  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      System.err.println("Mini Chat takes no options: ./postcommit example minichat");
      System.exit(2);
    }
    boolean verified;
    try (PostgresServer postgres = PostgresServer.start()) {
      verified = new MiniChat(System.out).run(postgres, REQUESTS);
    }
    System.exit(verified ? 0 : 1);
  }
}
