/**
 * gruelbox transaction-outbox as a contender: each event is a call, written down in the transaction
 * and made after it. {@link dev.postcommit.bench.gruelbox.GruelboxContender} is the place to start.
 */
@NullMarked
package dev.postcommit.bench.gruelbox;

import org.jspecify.annotations.NullMarked;
