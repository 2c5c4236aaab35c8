package dev.postcommit.pubsub.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.UnsafeByteOperations;
import com.google.pubsub.v1.PubsubMessage;
import dev.postcommit.consumer.deadletter.DeadLetter;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters as messages of Pub/Sub, within its limits: an attribute has at most 1,024 bytes, and
 * a message at most 100 attributes.
 *
 * <p>The attributes of the original message are kept, except those that Pub/Sub and its clients
 * add, which begin with {@code goog} and may not be sent. The dead letter's own attributes are cut
 * to 1,024 bytes. If there are more than 100 together, some of its own are left out; the body
 * repeats the most important of these.
 */
final class PubSubDeadLetterMessages {
  private static final String RESERVED = "goog";
  private static final int LONGEST = 1024;
  private static final int MOST = 100;

  private static final String ENCODING = DeadLetter.HEADER_PREFIX + "original_encoding";

  private PubSubDeadLetterMessages() {}

  static PubsubMessage of(DeadLetter letter) {
    PubsubMessage.Builder message =
        PubsubMessage.newBuilder()
            .setData(UnsafeByteOperations.unsafeWrap(letter.body()))
            .putAllAttributes(attributes(letter.message().headers(), letter.headers()));
    @Nullable String key = letter.message().key();
    return key == null ? message.build() : message.setOrderingKey(key).build();
  }

  static Map<String, String> attributes(Map<String, String> original, Map<String, String> own) {
    Map<String, String> attributes = new LinkedHashMap<>(original);
    attributes.keySet().removeIf(name -> name.startsWith(RESERVED) || own.containsKey(name));
    own.entrySet().stream()
        .sorted(Comparator.comparingInt(PubSubDeadLetterMessages::rank))
        .limit(Math.max(0, MOST - attributes.size()))
        .forEach(each -> attributes.put(each.getKey(), cut(each.getValue())));
    return attributes;
  }

  /**
   * The encoding comes first: without it the original body cannot be read. A header that was added
   * comes last: it must not be there without the one that says so.
   */
  private static int rank(Map.Entry<String, String> own) {
    if (own.getKey().equals(ENCODING)) {
      return 0;
    }
    return own.getKey().startsWith(DeadLetter.HEADER_PREFIX) ? 1 : 2;
  }

  private static String cut(String value) {
    byte[] bytes = value.getBytes(UTF_8);
    if (bytes.length <= LONGEST) {
      return value;
    }
    int end = LONGEST;
    while ((bytes[end] & 0xC0) == 0x80) {
      end--;
    }
    return new String(bytes, 0, end, UTF_8);
  }
}
