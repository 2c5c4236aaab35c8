package dev.postcommit.testkit.store;

import dev.postcommit.testkit.contract.Samples;

/** Forgotten claims of the modkit layout. */
class ModkitForgottenClaimsIT extends ForgottenClaims {
  ModkitForgottenClaimsIT() {
    super(Samples.MODKIT);
  }
}
