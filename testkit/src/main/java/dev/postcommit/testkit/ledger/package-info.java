/**
 * Proof that what was committed is what was delivered. Start with {@link
 * dev.postcommit.testkit.ledger.Ledger}.
 */
@NullMarked
package dev.postcommit.testkit.ledger;

import org.jspecify.annotations.NullMarked;
