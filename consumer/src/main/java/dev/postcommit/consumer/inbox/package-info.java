/**
 * How consumers recognise duplicates. Start at {@link dev.postcommit.consumer.inbox.Inbox}, the
 * choice of a consumer, and {@link dev.postcommit.consumer.inbox.IdempotencyStore}, which remembers
 * events in Postgres or Redis.
 */
@NullMarked
package dev.postcommit.consumer.inbox;

import org.jspecify.annotations.NullMarked;
