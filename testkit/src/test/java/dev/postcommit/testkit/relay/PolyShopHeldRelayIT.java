package dev.postcommit.testkit.relay;

import dev.postcommit.testkit.contract.Samples;

class PolyShopHeldRelayIT extends HeldRelay {
  PolyShopHeldRelayIT() {
    super("POLYSHOP", Samples.POLYSHOP);
  }
}
