package dev.postcommit.testkit.contract;

class LogistikDelayIT extends DelayedOrderContract {
  LogistikDelayIT() {
    super(Samples.LOGISTIK);
  }
}
