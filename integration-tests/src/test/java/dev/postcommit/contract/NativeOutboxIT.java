package dev.postcommit.contract;

import dev.postcommit.testkit.contract.OutboxContract;
import dev.postcommit.testkit.contract.Samples;

class NativeOutboxIT extends OutboxContract {
  NativeOutboxIT() {
    super(Samples.NATIVE);
  }
}
