package dev.postcommit.contract;

import dev.postcommit.testkit.contract.OrderContract;
import dev.postcommit.testkit.contract.Samples;

class NativeOrderIT extends OrderContract {
  NativeOrderIT() {
    super(Samples.NATIVE);
  }
}
