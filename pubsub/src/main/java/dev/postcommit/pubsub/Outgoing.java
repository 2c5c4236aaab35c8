package dev.postcommit.pubsub;

import com.google.pubsub.v1.PubsubMessage;
import dev.postcommit.relay.Delivery;
import java.util.concurrent.CompletableFuture;

/**
 * One message on its way.
 *
 * @param message what Pub/Sub is to get
 * @param outcome what becomes of it; the first outcome stays
 */
record Outgoing(PubsubMessage message, CompletableFuture<Delivery> outcome) {

  void end(Delivery delivery) {
    outcome.complete(delivery);
  }
}
