/**
 * The Pub/Sub service that {@link dev.postcommit.testkit.PubSubServer} runs in the JVM of a test.
 *
 * <p>Start with {@link dev.postcommit.testkit.pubsub.PubSubEngine}. The two services translate
 * calls; {@code Resources} holds what was created; a {@code Backlog} holds the messages of one
 * subscription and decides who gets which, one {@code Lane} for each ordering key. Nothing in here
 * goes wrong on purpose: that is what {@link dev.postcommit.testkit.PubSubProxy} is for.
 */
@NullMarked
package dev.postcommit.testkit.pubsub;

import org.jspecify.annotations.NullMarked;
