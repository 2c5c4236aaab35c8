package dev.postcommit.testkit.pubsub.engine;

import com.google.pubsub.v1.PubsubMessage;
import org.jspecify.annotations.Nullable;

/** A message of one subscription. Guarded by its backlog's lock. */
final class Item {

  final PubsubMessage message;
  final Lane lane;

  /** The delivery that is outstanding; null if there is none. */
  @Nullable Lease lease;

  Item(PubsubMessage message, Lane lane) {
    this.message = message;
    this.lane = lane;
  }

  int size() {
    return message.getSerializedSize();
  }
}
