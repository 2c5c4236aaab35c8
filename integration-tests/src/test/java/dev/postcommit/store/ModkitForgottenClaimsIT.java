package dev.postcommit.store;

import dev.postcommit.testkit.contract.Samples;

/** Forgotten claims of the modkit layout. */
class ModkitForgottenClaimsIT extends ForgottenClaims {
  ModkitForgottenClaimsIT() {
    super(Samples.MODKIT);
  }
}
