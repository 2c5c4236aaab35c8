package dev.postcommit.crash;

/** Crashes of relays of which one at a time reads a log. */
class LogCrashIT extends Crashes {
  LogCrashIT() {
    super(CrashTable.LOG, CrashKafka::new);
  }
}
