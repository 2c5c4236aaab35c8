package dev.postcommit.testkit.contract;

class NativeNamespaceIT extends NamespaceContract {
  NativeNamespaceIT() {
    super(Samples.NATIVE);
  }
}
