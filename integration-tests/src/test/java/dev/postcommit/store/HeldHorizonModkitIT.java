package dev.postcommit.store;

import dev.postcommit.testkit.contract.Samples;

class HeldHorizonModkitIT extends HeldHorizon {
  HeldHorizonModkitIT() {
    super(Samples.MODKIT);
  }

  @Override
  boolean mostCounts() {
    return false;
  }
}
