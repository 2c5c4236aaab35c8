package dev.postcommit.relay;

import dev.postcommit.testkit.contract.Samples;

class LogistikHeldRelayIT extends HeldRelay {
  LogistikHeldRelayIT() {
    super("LOGISTIK", Samples.LOGISTIK);
  }
}
