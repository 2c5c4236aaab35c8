package dev.postcommit.contract;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.ScopedContract;

class ModkitNamespaceIT extends ScopedContract {
  ModkitNamespaceIT() {
    super(Samples.MODKIT);
  }
}
