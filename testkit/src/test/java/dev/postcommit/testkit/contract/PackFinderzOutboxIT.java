package dev.postcommit.testkit.contract;

class PackFinderzOutboxIT extends OutboxContract {
  PackFinderzOutboxIT() {
    super(Samples.PACKFINDERZ);
  }
}
