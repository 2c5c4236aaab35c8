package dev.postcommit.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postcommit.relay.Message;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/** Messages as Kafka's records. */
final class Messages {
  private Messages() {}

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
