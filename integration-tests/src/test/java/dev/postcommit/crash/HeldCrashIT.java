package dev.postcommit.crash;

/** Crashes of relays that take their batches by held rows. */
class HeldCrashIT extends Crashes {
  HeldCrashIT() {
    super(CrashTable.LOGISTIK, CrashKafka::new);
  }
}
