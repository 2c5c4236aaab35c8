package dev.postcommit.bench.gruelbox;

import dev.postcommit.bench.contender.Host;

/** Runs gruelbox transaction-outbox for the benchmark's driver. */
public final class Main {
  private Main() {}

  /** Serves the driver until it hangs up. */
  public static void main(String[] arguments) throws Exception {
    Host.serve(arguments, GruelboxContender::new);
  }
}
