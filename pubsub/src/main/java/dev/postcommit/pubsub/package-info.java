/**
 * Google Pub/Sub as the broker. Start with {@link dev.postcommit.pubsub.PubSubPublisher}, through
 * which a relay sends its messages. Reading them is the business of {@code
 * dev.postcommit.pubsub.consumer}.
 */
@NullMarked
package dev.postcommit.pubsub;

import org.jspecify.annotations.NullMarked;
