package dev.postcommit.bench.namastack;

import dev.postcommit.bench.contender.Host;

/** Runs Namastack outbox for the benchmark's driver. */
public final class Main {
  private Main() {}

  /** Serves the driver. */
  public static void main(String[] arguments) throws Exception {
    Host.serve(arguments, NamastackContender::new);
  }
}
