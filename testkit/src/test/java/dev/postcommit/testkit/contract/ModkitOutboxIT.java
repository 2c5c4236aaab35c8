package dev.postcommit.testkit.contract;

class ModkitOutboxIT extends OutboxContract {
  ModkitOutboxIT() {
    super(Samples.MODKIT);
  }
}
