package dev.postcommit.store;

import dev.postcommit.testkit.contract.Samples;

class HeldHorizonLogIT extends HeldHorizon {
  HeldHorizonLogIT() {
    super(Samples.LOG);
  }
}
