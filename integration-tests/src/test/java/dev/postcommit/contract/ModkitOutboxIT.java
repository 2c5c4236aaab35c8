package dev.postcommit.contract;

import dev.postcommit.testkit.contract.OutboxContract;
import dev.postcommit.testkit.contract.Samples;

class ModkitOutboxIT extends OutboxContract {
  ModkitOutboxIT() {
    super(Samples.MODKIT);
  }
}
