package dev.postcommit.testkit.contract;

class ModkitDelayIT extends DelayContract {
  ModkitDelayIT() {
    super(Samples.MODKIT);
  }
}
