package dev.postcommit.bench.modulith;

import dev.postcommit.bench.contender.Host;

/** Runs Spring Modulith for the benchmark's driver. */
public final class Main {
  private Main() {}

  /** Serves the driver. */
  public static void main(String[] arguments) throws Exception {
    Host.serve(arguments, ModulithContender::new);
  }
}
