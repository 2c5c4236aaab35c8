package dev.postcommit.contract;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.StoreContract;

class NativeDeletingStoreIT extends StoreContract {
  NativeDeletingStoreIT() {
    super(Samples.NATIVE_DELETING);
  }
}
