package dev.postcommit.pubsub;

import com.google.pubsub.v1.PubsubMessage;
import dev.postcommit.relay.Delivery;
import java.util.concurrent.CompletableFuture;

/**
 * A message without an outcome yet.
 *
 * @param message the message for Pub/Sub
 * @param outcome its outcome; the first one stays
 */
record PendingMessage(PubsubMessage message, CompletableFuture<Delivery> outcome) {

  void end(Delivery delivery) {
    outcome.complete(delivery);
  }
}
