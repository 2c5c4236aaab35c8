package dev.postcommit.contract;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.StoreContract;

class LogistikStoreIT extends StoreContract {
  LogistikStoreIT() {
    super(Samples.LOGISTIK);
  }
}
