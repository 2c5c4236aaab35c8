package dev.postcommit.store;

import dev.postcommit.testkit.contract.Samples;

class HeldHorizonNativeIT extends HeldHorizon {
  HeldHorizonNativeIT() {
    super(Samples.NATIVE);
  }
}
