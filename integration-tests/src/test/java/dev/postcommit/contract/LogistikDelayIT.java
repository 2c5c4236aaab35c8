package dev.postcommit.contract;

import dev.postcommit.testkit.contract.DelayedOrderContract;
import dev.postcommit.testkit.contract.Samples;

class LogistikDelayIT extends DelayedOrderContract {
  LogistikDelayIT() {
    super(Samples.LOGISTIK);
  }
}
