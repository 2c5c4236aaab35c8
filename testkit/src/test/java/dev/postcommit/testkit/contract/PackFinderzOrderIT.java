package dev.postcommit.testkit.contract;

class PackFinderzOrderIT extends OrderContract {
  PackFinderzOrderIT() {
    super(Samples.PACKFINDERZ);
  }
}
