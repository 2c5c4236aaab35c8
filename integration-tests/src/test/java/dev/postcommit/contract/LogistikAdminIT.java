package dev.postcommit.contract;

import dev.postcommit.testkit.contract.AdminContract;
import dev.postcommit.testkit.contract.Samples;

class LogistikAdminIT extends AdminContract {
  LogistikAdminIT() {
    super(Samples.LOGISTIK);
  }
}
