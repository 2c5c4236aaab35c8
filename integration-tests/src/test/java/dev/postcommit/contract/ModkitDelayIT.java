package dev.postcommit.contract;

import dev.postcommit.testkit.contract.DelayedOrderContract;
import dev.postcommit.testkit.contract.Samples;

class ModkitDelayIT extends DelayedOrderContract {
  ModkitDelayIT() {
    super(Samples.MODKIT);
  }
}
