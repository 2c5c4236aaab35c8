package dev.postcommit.testkit.relay;

import dev.postcommit.testkit.contract.Samples;

class NativeRandomOrderIT extends RandomOrder {
  NativeRandomOrderIT() {
    super(Samples.NATIVE);
  }
}
