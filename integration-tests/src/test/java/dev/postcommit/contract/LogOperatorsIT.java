package dev.postcommit.contract;

import dev.postcommit.testkit.contract.OperatorsContract;
import dev.postcommit.testkit.contract.Samples;

class LogOperatorsIT extends OperatorsContract {
  LogOperatorsIT() {
    super(Samples.LOG);
  }
}
