package dev.postcommit.contract;

import dev.postcommit.testkit.contract.OutboxContract;
import dev.postcommit.testkit.contract.Samples;

class PackFinderzOutboxIT extends OutboxContract {
  PackFinderzOutboxIT() {
    super(Samples.PACKFINDERZ);
  }
}
