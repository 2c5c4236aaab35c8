/**
 * A scenario of two whole relays with all their threads: {@link
 * dev.postcommit.testkit.explorer.relay.RelayScenario}.
 */
@NullMarked
package dev.postcommit.testkit.explorer.relay;

import org.jspecify.annotations.NullMarked;
