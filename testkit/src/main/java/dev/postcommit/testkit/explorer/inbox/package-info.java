/**
 * Scenarios of consumers that mark events in Postgres. Start with {@link
 * dev.postcommit.testkit.explorer.inbox.InboxScenario}.
 */
@NullMarked
package dev.postcommit.testkit.explorer.inbox;

import org.jspecify.annotations.NullMarked;
