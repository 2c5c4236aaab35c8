package dev.postcommit.testkit.contract;

class LogistikDelayIT extends DelayContract {
  LogistikDelayIT() {
    super(Samples.LOGISTIK);
  }
}
