package dev.postcommit.bench.modulith;

import java.util.LinkedHashMap;
import java.util.Map;

/** How the library is set where it is not by default, and why. */
final class Settings {
  private final Map<String, Object> properties = new LinkedHashMap<>();
  private final Map<String, String> described = new LinkedHashMap<>();

  Settings() {
    described.put("release", "the newest of which all modules could be had");
    set("spring.modulith.events.jdbc.schema-initialization.enabled", "true", "");
    set("spring.task.execution.pool.core-size", "16", "threads that send after commit; default 8");
    set("spring.kafka.producer.acks", "all", "");
    set("spring.kafka.producer.properties.linger.ms", "2", "");
    described.put(
        "resubmission",
        "of failed publications, up to %d in flight, a batch to a transaction, after %d ms while"
                .formatted(Resubmission.BATCH, Resubmission.SHORTEST.toMillis())
            + " there are any, else after up to %d s; by default none"
                .formatted(Resubmission.LONGEST.toSeconds()));
    described.put("backlog", "publications that failed, as an outage of the broker leaves them");
    described.put("completion-mode", "update, the default: completed publications are kept");
    described.put("order", "none per key: threads send side by side, and so does resubmission");
    described.put(
        "relay", "cannot be stopped for transactions that commit: each is followed by its send");
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
