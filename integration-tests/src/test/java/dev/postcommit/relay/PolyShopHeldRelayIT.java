package dev.postcommit.relay;

import dev.postcommit.testkit.contract.Samples;

class PolyShopHeldRelayIT extends HeldRelay {
  PolyShopHeldRelayIT() {
    super("POLYSHOP", Samples.POLYSHOP);
  }
}
