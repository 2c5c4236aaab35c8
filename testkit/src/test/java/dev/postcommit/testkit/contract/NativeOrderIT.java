package dev.postcommit.testkit.contract;

class NativeOrderIT extends OrderContract {
  NativeOrderIT() {
    super(Samples.NATIVE);
  }
}
