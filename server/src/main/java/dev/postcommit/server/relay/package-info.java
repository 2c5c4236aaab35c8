/**
 * The relays of a process: {@link dev.postcommit.server.relay.RelayPlan} is what the settings ask
 * for, {@link dev.postcommit.server.relay.RunningRelay} one relay with all it needs.
 */
@NullMarked
package dev.postcommit.server.relay;

import org.jspecify.annotations.NullMarked;
