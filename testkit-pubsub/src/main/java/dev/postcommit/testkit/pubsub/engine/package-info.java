/**
 * The Pub/Sub service that {@link dev.postcommit.testkit.pubsub.PubSubServer} runs in the JVM of a
 * test.
 *
 * <p>Start with {@link dev.postcommit.testkit.pubsub.engine.PubSubEngine}. The two services
 * translate calls; {@code Resources} holds topics and subscriptions; a {@code Backlog} holds the
 * messages of one subscription and decides which consumer gets which, with one {@code Lane} for
 * each ordering key. It never fails on purpose: {@link dev.postcommit.testkit.pubsub.PubSubProxy}
 * does.
 */
@NullMarked
package dev.postcommit.testkit.pubsub.engine;

import org.jspecify.annotations.NullMarked;
