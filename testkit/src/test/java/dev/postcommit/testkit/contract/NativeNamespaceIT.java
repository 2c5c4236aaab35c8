package dev.postcommit.testkit.contract;

class NativeNamespaceIT extends ScopedContract {
  NativeNamespaceIT() {
    super(Samples.NATIVE);
  }
}
