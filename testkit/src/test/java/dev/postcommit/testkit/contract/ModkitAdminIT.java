package dev.postcommit.testkit.contract;

class ModkitAdminIT extends AdminContract {
  ModkitAdminIT() {
    super(Samples.MODKIT);
  }
}
