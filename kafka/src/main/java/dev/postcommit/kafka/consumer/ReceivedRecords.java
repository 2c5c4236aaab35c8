package dev.postcommit.kafka.consumer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postcommit.consumer.message.ReceivedMessage;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Kafka's records as received messages, also for records that your own code has polled. */
public final class ReceivedRecords {
  private ReceivedRecords() {}

  /**
   * The message. Key and headers are read as UTF-8; of headers with the same name the last wins.
   */
  public static ReceivedMessage message(ConsumerRecord<byte[], byte[]> record) {
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

  /** The key of a record, if it has one. */
  public static @Nullable String key(ConsumerRecord<byte[], byte[]> record) {
    byte @Nullable [] key = record.key();
    return key == null ? null : new String(key, UTF_8);
  }
}
