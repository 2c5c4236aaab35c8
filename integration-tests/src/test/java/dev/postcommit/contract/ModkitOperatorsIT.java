package dev.postcommit.contract;

import dev.postcommit.testkit.contract.OperatorsContract;
import dev.postcommit.testkit.contract.Samples;

class ModkitOperatorsIT extends OperatorsContract {
  ModkitOperatorsIT() {
    super(Samples.MODKIT);
  }
}
