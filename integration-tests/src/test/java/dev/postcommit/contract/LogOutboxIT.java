package dev.postcommit.contract;

import dev.postcommit.testkit.contract.OutboxContract;
import dev.postcommit.testkit.contract.Samples;

class LogOutboxIT extends OutboxContract {
  LogOutboxIT() {
    super(Samples.LOG);
  }
}
