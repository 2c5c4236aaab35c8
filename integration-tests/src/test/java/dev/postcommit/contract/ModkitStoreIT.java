package dev.postcommit.contract;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.StoreContract;

class ModkitStoreIT extends StoreContract {
  ModkitStoreIT() {
    super(Samples.MODKIT);
  }
}
