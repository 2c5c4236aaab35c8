package dev.postcommit.contract;

import dev.postcommit.testkit.contract.OutboxContract;
import dev.postcommit.testkit.contract.Samples;

class LogistikOutboxIT extends OutboxContract {
  LogistikOutboxIT() {
    super(Samples.LOGISTIK);
  }
}
