package dev.postcommit.contract;

import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.contract.ScopedContract;

class NativeNamespaceIT extends ScopedContract {
  NativeNamespaceIT() {
    super(Samples.NATIVE);
  }
}
