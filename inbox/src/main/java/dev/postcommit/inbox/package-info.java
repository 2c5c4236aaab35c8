/**
 * The consumer's side: events that arrive at least once have their effect once.
 *
 * <p>Start at {@link dev.postcommit.inbox.EventConsumer}, which is given messages by an adapter of
 * a broker, or by your own code. What guards it against duplicates is its {@link
 * dev.postcommit.inbox.Inbox}.
 */
@NullMarked
package dev.postcommit.inbox;

import org.jspecify.annotations.NullMarked;
