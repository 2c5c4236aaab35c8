package dev.postcommit.contract;

import dev.postcommit.testkit.contract.AdminContract;
import dev.postcommit.testkit.contract.Samples;

class LogAdminIT extends AdminContract {
  LogAdminIT() {
    super(Samples.LOG);
  }
}
