package dev.postcommit.testkit.contract;

class ModkitNamespaceIT extends NamespaceContract {
  ModkitNamespaceIT() {
    super(Samples.MODKIT);
  }
}
