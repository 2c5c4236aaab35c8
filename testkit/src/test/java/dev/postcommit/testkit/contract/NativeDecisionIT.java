package dev.postcommit.testkit.contract;

class NativeDecisionIT extends DecisionContract {
  NativeDecisionIT() {
    super(Samples.NATIVE);
  }
}
