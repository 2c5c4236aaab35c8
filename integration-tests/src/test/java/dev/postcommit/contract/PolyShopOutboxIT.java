package dev.postcommit.contract;

import dev.postcommit.testkit.contract.OutboxContract;
import dev.postcommit.testkit.contract.Samples;

class PolyShopOutboxIT extends OutboxContract {
  PolyShopOutboxIT() {
    super(Samples.POLYSHOP);
  }
}
