package dev.postcommit.relay;

import dev.postcommit.testkit.contract.Samples;

class LogistikRandomOrderIT extends RandomOrder {
  LogistikRandomOrderIT() {
    super(Samples.LOGISTIK);
  }
}
