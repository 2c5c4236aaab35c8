package dev.postcommit.contract;

import dev.postcommit.testkit.contract.OperatorsContract;
import dev.postcommit.testkit.contract.Samples;

class PackFinderzOperatorsIT extends OperatorsContract {
  PackFinderzOperatorsIT() {
    super(Samples.PACKFINDERZ);
  }
}
