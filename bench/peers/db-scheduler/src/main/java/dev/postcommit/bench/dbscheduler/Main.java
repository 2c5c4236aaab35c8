package dev.postcommit.bench.dbscheduler;

import dev.postcommit.bench.contender.Host;

/** Runs db-scheduler for the benchmark's driver. */
public final class Main {
  private Main() {}

  /** Serves the driver until it hangs up. */
  public static void main(String[] arguments) throws Exception {
    Host.serve(arguments, DbSchedulerContender::new);
  }
}
