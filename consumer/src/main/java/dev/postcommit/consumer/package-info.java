/**
 * The consumer's side: events that arrive at least once have their effect once.
 *
 * <p>Start at {@link dev.postcommit.consumer.EventConsumer}, which is given messages by an adapter
 * of a broker, or by your own code. What guards it against duplicates is its {@link
 * dev.postcommit.consumer.Inbox}.
 */
@NullMarked
package dev.postcommit.consumer;

import org.jspecify.annotations.NullMarked;
