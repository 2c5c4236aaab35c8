package dev.postcommit.crash;

/**
 * Crashes of relays that deliver to Pub/Sub. With the variable {@code PUBSUB_EMULATOR_HOST} they
 * deliver to the server it names, such as Google's emulator.
 */
class PubSubCrashIT extends Crashes {
  PubSubCrashIT() {
    super(CrashTable.NATIVE, CrashPubSub::new);
  }
}
