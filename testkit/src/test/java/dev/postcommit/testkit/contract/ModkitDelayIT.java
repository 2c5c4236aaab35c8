package dev.postcommit.testkit.contract;

class ModkitDelayIT extends DelayedOrderContract {
  ModkitDelayIT() {
    super(Samples.MODKIT);
  }
}
