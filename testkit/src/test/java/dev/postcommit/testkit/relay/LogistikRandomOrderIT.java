package dev.postcommit.testkit.relay;

import dev.postcommit.testkit.contract.Samples;

class LogistikRandomOrderIT extends RandomOrder {
  LogistikRandomOrderIT() {
    super(Samples.LOGISTIK);
  }
}
