package dev.postcommit.contract;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.StoreContract;

class LogistikDeletingStoreIT extends StoreContract {
  LogistikDeletingStoreIT() {
    super(Samples.LOGISTIK_DELETING);
  }
}
