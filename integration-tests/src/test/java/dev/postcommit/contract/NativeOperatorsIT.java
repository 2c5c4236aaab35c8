package dev.postcommit.contract;

import dev.postcommit.testkit.contract.OperatorsContract;
import dev.postcommit.testkit.contract.Samples;

class NativeOperatorsIT extends OperatorsContract {
  NativeOperatorsIT() {
    super(Samples.NATIVE);
  }
}
