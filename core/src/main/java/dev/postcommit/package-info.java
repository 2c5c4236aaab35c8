/**
 * The writing side of a transactional outbox, and the words the rest of Postcommit shares.
 *
 * <p>Start at {@link dev.postcommit.Outbox}: it records an {@link dev.postcommit.Event} in the
 * caller's transaction. {@link dev.postcommit.DomainEvents} does so for events in the words of the
 * domain. {@link dev.postcommit.relay.Relay} delivers what was committed.
 */
@NullMarked
package dev.postcommit;

import org.jspecify.annotations.NullMarked;
