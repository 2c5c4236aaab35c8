package dev.postcommit.examples.polyshop.audit;

import dev.postcommit.examples.polyshop.audit.Snapshot.OutboxRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Topics hold what was written, no less and no more, in the order of each key, in envelopes. */
record TopicAudit(Snapshot snapshot) {
  private static final Set<String> FIELDS =
      Set.of("eventId", "timestamp", "eventType", "version", "source", "data", "metadata");
  private static final Set<String> METADATA =
      Set.of("traceId", "correlationId", "idempotencyKey", "userId");

  /** Where the order of events is kept. */
  private record Place(String topic, String key) {}

  void run(List<String> findings) {
    Map<Place, List<String>> written = new LinkedHashMap<>();
    Map<String, String> sources = new HashMap<>();
    for (OutboxRow row : snapshot.outbox()) {
      add(written, new Place(row.eventType(), row.key()), row.eventId());
      sources.put(row.eventId(), row.source());
      if (!row.processed()) {
        findings.add(row.eventType() + " " + row.eventId() + " is not processed");
      }
    }
    Map<Place, List<String>> arrived = new LinkedHashMap<>();
    Set<String> seen = new HashSet<>();
    for (ShopEvent event : snapshot.events()) {
      checkEnvelope(event, sources, findings);
      // Delivery is at least once: what counts is the first arrival.
      if (seen.add(event.eventId())) {
        add(arrived, new Place(event.topic(), event.key()), event.eventId());
      }
    }
    compare(written, arrived, findings);
    checkCounts(findings);
    if (snapshot.unread() > 0) {
      findings.add(snapshot.unread() + " messages are not read yet");
    }
  }

  private static void add(Map<Place, List<String>> places, Place place, String id) {
    places.computeIfAbsent(place, unused -> new ArrayList<>()).add(id);
  }

  private static void compare(
      Map<Place, List<String>> written, Map<Place, List<String>> arrived, List<String> findings) {
    Set<Place> places = new HashSet<>(written.keySet());
    places.addAll(arrived.keySet());
    for (Place place : places) {
      List<String> expected = written.getOrDefault(place, List.of());
      List<String> actual = arrived.getOrDefault(place, List.of());
      if (!expected.equals(actual)) {
        findings.add(
            "of %d events of %s with key %s, %d have arrived%s"
                .formatted(
                    expected.size(),
                    place.topic(),
                    place.key(),
                    actual.size(),
                    new HashSet<>(expected).equals(new HashSet<>(actual))
                        ? ", in another order"
                        : ""));
      }
    }
  }

  private static void checkEnvelope(
      ShopEvent event, Map<String, String> sources, List<String> findings) {
    boolean asContract =
        names(event.body().fieldNames()).equals(FIELDS)
            && METADATA.containsAll(names(event.body().path("metadata").fieldNames()))
            && !event.traceId().isEmpty()
            && !event.correlationId().isEmpty()
            && event.body().path("version").asInt() == 1
            && event.text("eventType").equals(event.topic())
            && event.text("source").equals(sources.get(event.eventId()));
    if (!asContract) {
      findings.add("%s %s is not as in the contract".formatted(event.topic(), event.eventId()));
    }
  }

  private void checkCounts(List<String> findings) {
    Map<String, Set<String>> events = new HashMap<>();
    for (ShopEvent event : snapshot.events()) {
      events.computeIfAbsent(event.topic(), unused -> new HashSet<>()).add(event.eventId());
    }
    events.forEach(
        (topic, ids) -> {
          long counted = snapshot.counts().getOrDefault(topic, 0L);
          if (counted != ids.size()) {
            findings.add(
                "analytics-service has counted %d of %d events of %s"
                    .formatted(counted, ids.size(), topic));
          }
        });
  }

  private static Set<String> names(Iterator<String> names) {
    Set<String> set = new HashSet<>();
    names.forEachRemaining(set::add);
    return set;
  }
}
