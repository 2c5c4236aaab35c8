package dev.postcommit.bench.namastack;

import java.util.LinkedHashMap;
import java.util.Map;

/** How the library is set where it is not by default, and why. */
final class Settings {
  private final Map<String, Object> properties = new LinkedHashMap<>();
  private final Map<String, String> described = new LinkedHashMap<>();

  Settings() {
    described.put("release", "the newest that could be had");
    set(
        "namastack.outbox.polling.fixed.interval",
        "50ms",
        "the documentation prefers the fixed interval for low latency; default 2s");
    set(
        "namastack.outbox.polling.batch-size",
        "1000",
        "keys a poll; default 10, and a key's records are all sent in the poll that finds it");
    set(
        "namastack.outbox.processing.executor-core-pool-size",
        "16",
        "threads that send, a key each; default 4");
    set("namastack.outbox.processing.executor-max-pool-size", "16", "default 8");
    set(
        "spring.kafka.producer.value-serializer",
        "org.springframework.kafka.support.serializer.JacksonJsonSerializer",
        "as the library's module for Kafka sets it");
    set("spring.kafka.producer.acks", "all", "");
    set("spring.kafka.producer.properties.linger.ms", "0", "each thread waits for each message");
    described.put(
        "handler", "sends by KafkaTemplate and waits, as the library's module for Kafka does");
    described.put("delete-completed-records", "false, the default: delivered records are kept");
    described.put("stop-on-first-failure", "true, the default: the order per key is kept");
    described.put(
        "retry", "the default: 3 retries after 2, 4 and 8 s, then FAILED until someone acts");
  }

  private void set(String property, String value, String why) {
    properties.put(property, value);
    described.put(property, why.isEmpty() ? value : value + ": " + why);
  }

  Map<String, Object> properties() {
    return properties;
  }

  Map<String, String> described() {
    return described;
  }
}
