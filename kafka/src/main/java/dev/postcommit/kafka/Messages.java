package dev.postcommit.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postcommit.inbox.ReceivedMessage;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Kafka's records as messages. */
final class Messages {
  private Messages() {}

  /** Key and headers are read as UTF-8; of headers of the same name the last counts. */
  static ReceivedMessage received(ConsumerRecord<byte[], byte[]> record) {
    Map<String, String> headers = new HashMap<>();
    for (Header header : record.headers()) {
      byte @Nullable [] value = header.value();
      headers.put(header.key(), value == null ? "" : new String(value, UTF_8));
    }
    Map<String, String> origin =
        Map.of(
            "partition", Integer.toString(record.partition()),
            "offset", Long.toString(record.offset()),
            "timestamp", Long.toString(record.timestamp()));
    return new ReceivedMessage(record.topic(), key(record), headers, record.value(), origin);
  }

  static @Nullable String key(ConsumerRecord<byte[], byte[]> record) {
    byte @Nullable [] key = record.key();
    return key == null ? null : new String(key, UTF_8);
  }
}
