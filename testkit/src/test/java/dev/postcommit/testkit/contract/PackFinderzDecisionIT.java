package dev.postcommit.testkit.contract;

class PackFinderzDecisionIT extends DecisionContract {
  PackFinderzDecisionIT() {
    super(Samples.PACKFINDERZ);
  }
}
