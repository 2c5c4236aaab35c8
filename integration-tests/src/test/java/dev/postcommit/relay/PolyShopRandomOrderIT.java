package dev.postcommit.relay;

import dev.postcommit.testkit.contract.Samples;

class PolyShopRandomOrderIT extends RandomOrder {
  PolyShopRandomOrderIT() {
    super(Samples.POLYSHOP);
  }
}
