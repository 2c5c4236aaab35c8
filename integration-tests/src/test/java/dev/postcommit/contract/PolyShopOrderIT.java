package dev.postcommit.contract;

import dev.postcommit.testkit.contract.OrderContract;
import dev.postcommit.testkit.contract.Samples;

class PolyShopOrderIT extends OrderContract {
  PolyShopOrderIT() {
    super(Samples.POLYSHOP);
  }
}
