package dev.postcommit.contract;

import dev.postcommit.testkit.contract.OrderContract;
import dev.postcommit.testkit.contract.Samples;

class LogOrderIT extends OrderContract {
  LogOrderIT() {
    super(Samples.LOG);
  }
}
