/**
 * Consuming events from Google Pub/Sub, with the module {@code postcommit-consumer}. Start with
 * {@link dev.postcommit.pubsub.consumer.PubSubEventConsumer}.
 */
@NullMarked
package dev.postcommit.pubsub.consumer;

import org.jspecify.annotations.NullMarked;
