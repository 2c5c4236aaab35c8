package dev.postcommit.testkit.contract;

class PolyShopOutboxIT extends OutboxContract {
  PolyShopOutboxIT() {
    super(Samples.POLYSHOP);
  }
}
