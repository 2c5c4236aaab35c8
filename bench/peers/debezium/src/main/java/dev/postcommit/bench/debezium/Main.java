package dev.postcommit.bench.debezium;

import dev.postcommit.bench.contender.Host;

/** Runs the contender for the driver of the benchmark. */
public final class Main {
  private Main() {}

  /** Serves the driver that started this JVM. */
  public static void main(String[] arguments) throws Exception {
    Host.serve(arguments, DebeziumContender::new);
  }
}
