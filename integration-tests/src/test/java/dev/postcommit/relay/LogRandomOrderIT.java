package dev.postcommit.relay;

import dev.postcommit.testkit.contract.Samples;

class LogRandomOrderIT extends RandomOrder {
  LogRandomOrderIT() {
    super(Samples.LOG);
  }
}
