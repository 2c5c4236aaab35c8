package dev.postcommit.testkit.relay;

import dev.postcommit.testkit.contract.Samples;

class ModkitRandomOrderIT extends RandomOrder {
  ModkitRandomOrderIT() {
    super(Samples.MODKIT);
  }
}
