package dev.postcommit.internal.store.log;

import dev.postcommit.internal.store.log.LogReader.Row;
import dev.postcommit.internal.store.log.LogSurplus.Place;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.support.Daemons;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads rows of a log again of which only their places were kept, when their turn comes.
 *
 * <p>Those of a key that is busy are read ahead, from a thread of its own: a claim could not take
 * them, and events of other keys would wait for that. Those of a key that is not are read by the
 * claim that may take them. Safe for use by many threads.
 */
final class LogRereader {
  private static final Logger log = LoggerFactory.getLogger(LogRereader.class);

  /** How many rows are read at once: few, as others may wait for that, or for the database. */
  private static final int AT_ONCE = 100;

  private final LogReader reader;
  private final LogAgenda agenda;
  private final ThreadFactory threads;
  private boolean isReading;

  /**
   * A reader of an agenda's surplus.
   *
   * @param name what to call the thread that reads ahead
   */
  LogRereader(LogReader reader, LogAgenda agenda, String name) {
    this.reader = reader;
    this.agenda = agenda;
    this.threads = Daemons.named(name);
  }

  /** Reads what the next claim may take, and sees to it that what others may take is read. */
  void read(ClaimRequest request) {
    if (isToRead(request, false)) {
      boolean unused = readSome(request, false);
    }
    if (isToRead(request, true)) {
      begin(request);
    }
  }

  private boolean isToRead(ClaimRequest request, boolean ahead) {
    synchronized (agenda) {
      return agenda.keysInSurplus() > 0 && !next(request, ahead).isEmpty();
    }
  }

  private synchronized void begin(ClaimRequest request) {
    if (!isReading) {
      isReading = true;
      threads.newThread(() -> readAhead(request)).start();
    }
  }

  private void readAhead(ClaimRequest request) {
    try {
      boolean goesOn;
      do {
        goesOn = readSome(request, true);
      } while (goesOn);
    } catch (RuntimeException e) {
      log.debug("could not read ahead; a claim reads them, and tells why", e);
    } finally {
      ended();
    }
  }

  private synchronized void ended() {
    isReading = false;
  }

  /** Reads some rows, unless enough of their keys wait; returns whether there were any. */
  private boolean readSome(ClaimRequest request, boolean ahead) {
    List<Place> places;
    long room;
    synchronized (agenda) {
      places = next(request, ahead);
      room = room(request, ahead);
      if (places.isEmpty() || room <= 0) {
        return false;
      }
      agenda.reserve(room);
    }
    List<@Nullable Row> rows = List.of();
    try {
      rows = reader.readAgain(places, room);
    } finally {
      synchronized (agenda) {
        agenda.reserve(-room);
        agenda.addAgain(places, rows);
      }
    }
    return !rows.isEmpty();
  }

  /** What is read ahead leaves room for others, which are read meanwhile. */
  private long room(ClaimRequest request, boolean ahead) {
    long room = LogIntake.mostBytes(request) - agenda.waitingBytes();
    return ahead ? room / 2 : room;
  }

  private List<Place> next(ClaimRequest request, boolean ahead) {
    int share = LogIntake.MOST_WAITING * request.batchSize() / (2 * agenda.keysInSurplus());
    int few = Math.max(1, Math.min(request.batchSize(), share));
    return agenda.toReadAgain(few, AT_ONCE, ahead);
  }
}
