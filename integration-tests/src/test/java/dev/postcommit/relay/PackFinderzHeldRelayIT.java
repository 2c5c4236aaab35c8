package dev.postcommit.relay;

import dev.postcommit.testkit.contract.Samples;

class PackFinderzHeldRelayIT extends HeldRelay {
  PackFinderzHeldRelayIT() {
    super("PACKFINDERZ", Samples.PACKFINDERZ);
  }
}
