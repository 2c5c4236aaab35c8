package dev.postcommit.testkit.contract;

class PolyShopOrderIT extends OrderContract {
  PolyShopOrderIT() {
    super(Samples.POLYSHOP);
  }
}
