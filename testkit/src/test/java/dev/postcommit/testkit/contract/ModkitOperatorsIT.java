package dev.postcommit.testkit.contract;

class ModkitOperatorsIT extends OperatorsContract {
  ModkitOperatorsIT() {
    super(Samples.MODKIT);
  }
}
