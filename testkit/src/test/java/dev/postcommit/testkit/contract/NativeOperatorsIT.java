package dev.postcommit.testkit.contract;

class NativeOperatorsIT extends OperatorsContract {
  NativeOperatorsIT() {
    super(Samples.NATIVE);
  }
}
