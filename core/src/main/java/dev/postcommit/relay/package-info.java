/**
 * Moves committed events from a table to a broker.
 *
 * <p>Start at {@link dev.postcommit.relay.Relay}. A broker is added by implementing {@link
 * dev.postcommit.relay.Publisher}.
 */
@NullMarked
package dev.postcommit.relay;

import org.jspecify.annotations.NullMarked;
