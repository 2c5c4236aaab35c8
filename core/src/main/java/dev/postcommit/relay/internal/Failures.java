package dev.postcommit.relay.internal;

import dev.postcommit.store.StoredEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The failed attempts of one batch, logged as one line for each reason. */
final class Failures {
  private static final Logger log = LoggerFactory.getLogger(Failures.class);

  private static final class Group {
    private final StoredEvent first;
    private int size;

    Group(StoredEvent first) {
      this.first = first;
    }
  }

  private final Map<String, Group> byReason = new LinkedHashMap<>();

  void add(StoredEvent event, String reason) {
    byReason.computeIfAbsent(reason, r -> new Group(event)).size++;
    log.debug("retrying {}; reason={}", names(event), reason);
  }

  void log() {
    byReason.forEach(
        (reason, group) ->
            log.warn(
                "{} events failed and will be retried; reason={}; the first: {}",
                group.size,
                reason,
                names(group.first)));
  }

  /** The ids by which an event is found again. */
  static String names(StoredEvent event) {
    return "event_id=%s event_type=%s aggregate_type=%s aggregate_id=%s attempt=%d"
        .formatted(
            event.id(), event.type(), event.aggregateType(), event.aggregateId(), event.attempt());
  }
}
