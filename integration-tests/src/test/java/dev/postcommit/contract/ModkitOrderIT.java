package dev.postcommit.contract;

import dev.postcommit.testkit.contract.OrderContract;
import dev.postcommit.testkit.contract.Samples;

class ModkitOrderIT extends OrderContract {
  ModkitOrderIT() {
    super(Samples.MODKIT);
  }
}
