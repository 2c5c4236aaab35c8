/**
 * Consumers: events that arrive at least once take effect once.
 *
 * <p>Start at {@link dev.postcommit.consumer.EventConsumer}, to which the adapter of a broker, or
 * your own code, passes messages. Its {@link dev.postcommit.consumer.inbox.Inbox} guards it against
 * duplicates.
 */
@NullMarked
package dev.postcommit.consumer;

import org.jspecify.annotations.NullMarked;
