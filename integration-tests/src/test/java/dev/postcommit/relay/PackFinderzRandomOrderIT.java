package dev.postcommit.relay;

import dev.postcommit.testkit.contract.Samples;

class PackFinderzRandomOrderIT extends RandomOrder {
  PackFinderzRandomOrderIT() {
    super(Samples.PACKFINDERZ);
  }
}
