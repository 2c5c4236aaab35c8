package dev.postcommit.pubsub;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.protobuf.UnsafeByteOperations;
import com.google.pubsub.v1.PubsubMessage;
import dev.postcommit.consumer.DeadLetter;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters as messages of Pub/Sub, within its limits: an attribute has at most 1,024 bytes, and
 * a message at most 100 attributes.
 *
 * <p>The attributes of the original message are kept, but for those that Pub/Sub and its clients
 * add to messages, whose names begin with {@code goog} and which nobody else may send. What the
 * letter tells beside is cut to 1,024 bytes; and if the two are more than 100, as many of the
 * letter's own are left out, of which the body has the most important once more.
 */
final class PubSubLetterMessages {
  private static final String RESERVED = "goog";
  private static final int LONGEST = 1024;
  private static final int MOST = 100;

  private static final String ENCODING = DeadLetter.HEADER_PREFIX + "original_encoding";

  private PubSubLetterMessages() {}

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
        .sorted(Comparator.comparingInt(PubSubLetterMessages::rank))
        .limit(Math.max(0, MOST - attributes.size()))
        .forEach(each -> attributes.put(each.getKey(), cut(each.getValue())));
    return attributes;
  }

  /**
   * Without the encoding the original body cannot be read again. A header that the message did not
   * have must not be there without the one that says so.
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
