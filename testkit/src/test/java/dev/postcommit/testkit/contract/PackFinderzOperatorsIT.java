package dev.postcommit.testkit.contract;

class PackFinderzOperatorsIT extends OperatorsContract {
  PackFinderzOperatorsIT() {
    super(Samples.PACKFINDERZ);
  }
}
