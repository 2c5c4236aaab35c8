package dev.postcommit.testkit.relay;

import dev.postcommit.testkit.contract.Samples;

class PackFinderzHeldRelayIT extends HeldRelay {
  PackFinderzHeldRelayIT() {
    super("PACKFINDERZ", Samples.PACKFINDERZ);
  }
}
