package dev.postcommit.internal.write;

import dev.postcommit.Enqueued;
import dev.postcommit.Event;
import dev.postcommit.Outbox;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Outbox} on a log. An event with a time of its own has no place among rows that are
 * read one after the other, so it is diverted from the start.
 */
public final class LogOutbox implements Outbox {
  private final JdbcOutbox log;
  private final JdbcOutbox diverted;

  public LogOutbox(JdbcOutbox log, JdbcOutbox diverted) {
    this.log = log;
    this.diverted = diverted;
  }

  @Override
  public Enqueued enqueue(Connection tx, Event event) {
    return isTimed(event) ? diverted.enqueue(tx, event) : log.enqueue(tx, event);
  }

  @Override
  public List<Enqueued> enqueueAll(Connection tx, List<Event> events) {
    if (events.stream().noneMatch(LogOutbox::isTimed)) {
      return log.enqueueAll(tx, events);
    }
    // Checked before anything is written, as they are written with two statements.
    List<Event> checked =
        events.stream()
            .map(event -> isTimed(event) ? diverted.checked(event) : log.checked(event))
            .toList();
    List<Event> later = checked.stream().filter(LogOutbox::isTimed).toList();
    List<Event> now = checked.stream().filter(event -> !isTimed(event)).toList();
    if (!Collections.disjoint(dedupeKeys(later), dedupeKeys(now))) {
      // Of events with the same key the first is written.
      return checked.stream().map(event -> enqueue(tx, event)).toList();
    }
    Iterator<Enqueued> timed = diverted.enqueueAll(tx, later).iterator();
    Iterator<Enqueued> prompt = log.enqueueAll(tx, now).iterator();
    List<Enqueued> results = new ArrayList<>(events.size());
    for (Event event : checked) {
      results.add((isTimed(event) ? timed : prompt).next());
    }
    return results;
  }

  private static boolean isTimed(@Nullable Event event) {
    return event != null && event.availableAt() != null;
  }

  @Override
  public int maxPayloadBytes() {
    return log.maxPayloadBytes();
  }

  private static Set<List<String>> dedupeKeys(List<Event> events) {
    Set<List<String>> keys = new HashSet<>();
    for (Event event : events) {
      String key = event.dedupeKey();
      if (key != null) {
        keys.add(List.of(event.namespace(), event.topic(), key));
      }
    }
    return keys;
  }
}
