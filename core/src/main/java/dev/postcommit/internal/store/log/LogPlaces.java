package dev.postcommit.internal.store.log;

import dev.postcommit.internal.store.Places;
import dev.postcommit.internal.store.Places.Begun;
import dev.postcommit.internal.store.Snapshot;
import dev.postcommit.internal.store.log.LogLease.Lead;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The places that one relay has recorded, and is about to. Safe for use by many threads. */
final class LogPlaces {
  private static final Logger log = LoggerFactory.getLogger(LogPlaces.class);

  private final Places places;
  private final String table;
  private LogPlace recorded = new LogPlace("", 0, LogCursor.at(0, Snapshot.of("1:1:")));
  private LogPlace next = recorded;

  LogPlaces(Places places, String table) {
    this.places = places;
    this.table = table;
  }

  /** Where to read on; empty if the places cannot be used now. */
  Optional<LogCursor> begin(Lead lead) {
    return places.begin().map(begun -> begin(lead, begun));
  }

  private synchronized LogCursor begin(Lead lead, Begun begun) {
    @Nullable LogPlace last = begun.place() == null ? null : LogPlace.of(begun.place());
    if (last != null && last.agreesWith(lead.mark())) {
      LogCursor cursor = last.cursor().withFloorUpTo(lead.cursor().floor());
      recorded = new LogPlace(last.history(), last.number(), cursor);
    } else {
      if (begun.place() != null) {
        log.warn(
            "the place of {} that the broker has is not of this database as it is now: it was"
                + " restored, or relays without transactions were at work. The cursor in the"
                + " database counts; events delivered after it was last written are delivered again",
            table);
      }
      recorded = new LogPlace(UUID.randomUUID().toString(), 0, lead.cursor());
    }
    next = recorded;
    return recorded.cursor();
  }

  /** What the cursor's row is to be marked with until there is another place. */
  synchronized @Nullable String mark(Lead lead) {
    return recorded.agreesWith(lead.mark()) ? lead.mark() : recorded.mark();
  }

  /** The place that is recorded. */
  synchronized LogPlace recorded() {
    return recorded;
  }

  /** The place to record next. */
  synchronized LogPlace next(LogCursor cursor) {
    next = new LogPlace(recorded.history(), recorded.number() + 1, cursor);
    return next;
  }

  /** The next place was recorded. */
  synchronized void advance() {
    recorded = next;
  }

  /** Records a place with which nothing is delivered; returns whether that was possible. */
  boolean record(Supplier<String> place) {
    return places.record(place);
  }
}
