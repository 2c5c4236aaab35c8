package dev.postcommit.contract;

import dev.postcommit.testkit.contract.OrderContract;
import dev.postcommit.testkit.contract.Samples;

class LogistikOrderIT extends OrderContract {
  LogistikOrderIT() {
    super(Samples.LOGISTIK);
  }
}
