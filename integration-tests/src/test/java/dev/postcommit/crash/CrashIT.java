package dev.postcommit.crash;

/** Crashes of relays that take their batches by claim records. */
class CrashIT extends Crashes {
  CrashIT() {
    super(CrashTable.NATIVE, CrashKafka::new);
  }
}
