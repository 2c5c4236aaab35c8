package dev.postcommit.store;

import dev.postcommit.testkit.contract.Samples;

/** Forgotten claims of the native layout. */
class NativeForgottenClaimsIT extends ForgottenClaims {
  NativeForgottenClaimsIT() {
    super(Samples.NATIVE);
  }
}
