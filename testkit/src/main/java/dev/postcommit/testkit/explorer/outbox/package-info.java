/**
 * Scenarios on every table except a log, and their actors: writers, relays, operators and faults.
 * Start with {@link dev.postcommit.testkit.explorer.outbox.OutboxScenario}.
 */
@NullMarked
package dev.postcommit.testkit.explorer.outbox;

import org.jspecify.annotations.NullMarked;
