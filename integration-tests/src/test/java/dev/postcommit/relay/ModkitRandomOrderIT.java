package dev.postcommit.relay;

import dev.postcommit.testkit.contract.Samples;

class ModkitRandomOrderIT extends RandomOrder {
  ModkitRandomOrderIT() {
    super(Samples.MODKIT);
  }
}
