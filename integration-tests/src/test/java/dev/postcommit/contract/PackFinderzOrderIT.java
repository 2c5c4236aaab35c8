package dev.postcommit.contract;

import dev.postcommit.testkit.contract.OrderContract;
import dev.postcommit.testkit.contract.Samples;

class PackFinderzOrderIT extends OrderContract {
  PackFinderzOrderIT() {
    super(Samples.PACKFINDERZ);
  }
}
