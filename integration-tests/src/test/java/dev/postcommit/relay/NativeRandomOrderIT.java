package dev.postcommit.relay;

import dev.postcommit.testkit.contract.Samples;

class NativeRandomOrderIT extends RandomOrder {
  NativeRandomOrderIT() {
    super(Samples.NATIVE);
  }
}
