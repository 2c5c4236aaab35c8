package dev.postcommit.testkit.contract;

class ModkitOrderIT extends OrderContract {
  ModkitOrderIT() {
    super(Samples.MODKIT);
  }
}
