package dev.postcommit.contract;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.StoreContract;

class LogStoreIT extends StoreContract {
  LogStoreIT() {
    super(Samples.LOG);
  }
}
