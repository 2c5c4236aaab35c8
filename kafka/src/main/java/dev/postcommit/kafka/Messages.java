package dev.postcommit.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postcommit.consumer.ReceivedMessage;
import dev.postcommit.relay.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/** Kafka's records as messages, and messages as Kafka's records. */
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

  static ProducerRecord<byte[], byte[]> record(Message message) {
    @Nullable String key = message.key();
    List<Header> headers = new ArrayList<>(message.headers().size());
    message
        .headers()
        .forEach((name, value) -> headers.add(new RecordHeader(name, value.getBytes(UTF_8))));
    return new ProducerRecord<>(
        message.topic(), null, key == null ? null : key.getBytes(UTF_8), message.body(), headers);
  }
}
