package dev.postcommit.testkit.contract;

class ModkitNamespaceIT extends ScopedContract {
  ModkitNamespaceIT() {
    super(Samples.MODKIT);
  }
}
