package dev.postcommit.testkit.contract;

class ModkitDecisionIT extends DecisionContract {
  ModkitDecisionIT() {
    super(Samples.MODKIT);
  }
}
