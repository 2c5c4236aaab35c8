package dev.postcommit.contract;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.StoreContract;

class NativeStoreIT extends StoreContract {
  NativeStoreIT() {
    super(Samples.NATIVE);
  }
}
