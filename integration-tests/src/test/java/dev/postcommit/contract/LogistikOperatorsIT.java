package dev.postcommit.contract;

import dev.postcommit.testkit.contract.OperatorsContract;
import dev.postcommit.testkit.contract.Samples;

class LogistikOperatorsIT extends OperatorsContract {
  LogistikOperatorsIT() {
    super(Samples.LOGISTIK);
  }
}
