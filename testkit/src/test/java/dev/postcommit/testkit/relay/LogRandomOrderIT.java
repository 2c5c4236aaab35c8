package dev.postcommit.testkit.relay;

import dev.postcommit.testkit.contract.Samples;

class LogRandomOrderIT extends RandomOrder {
  LogRandomOrderIT() {
    super(Samples.LOG);
  }
}
