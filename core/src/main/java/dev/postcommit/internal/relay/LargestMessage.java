package dev.postcommit.internal.relay;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What outboxes accept, against what the publisher takes.
 *
 * @param accepted the largest payload of an event, its headers included
 * @param taken the largest message, if that is known
 */
public record LargestMessage(int accepted, OptionalInt taken) {

  /**
   * What a message may have besides payload and headers: key, envelope, some headers once more in
   * the envelope, all of them in JSON. It is less than 33,000 bytes and the source of the envelope.
   */
  static final int AROUND = 48_576;

  /** What is wrong if accepted events can be too large to be delivered. */
  Optional<String> problem() {
    long needed = (long) accepted + AROUND;
    if (taken.isEmpty() || taken.getAsInt() >= needed) {
      return Optional.empty();
    }
    int fits = taken.getAsInt() - AROUND;
    String less =
        fits > 0 ? "; or build outbox and relay with maxPayloadBytes(%d)".formatted(fits) : "";
    return Optional.of(
        "events of up to %d bytes are accepted, which may take messages of %d, and the publisher sends %d at most: larger ones will be dead. Raise its limit (Kafka's producer: max.request.size; its topics: max.message.bytes)%s"
            .formatted(accepted, needed, taken.getAsInt(), less));
  }
}
