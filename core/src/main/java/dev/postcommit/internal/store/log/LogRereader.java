package dev.postcommit.internal.store.log;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.store.log.LogInFlight.Loading;
import dev.postcommit.internal.store.log.LogSurplus.Stub;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.support.Daemons;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads rows of a log again of which only stubs were kept, when they are needed.
 *
 * <p>Rows of busy keys are loaded ahead, by a thread of its own: a claim could not take them, and
 * events of other keys would wait for the loading. Rows of other keys are loaded by the claim that
 * may take them. Safe for use by many threads.
 */
final class LogRereader {
  private static final Logger log = LoggerFactory.getLogger(LogRereader.class);

  private final Database database;
  private final LogSql sql;
  private final LogInFlight inFlight;
  private final ThreadFactory threads;
  private boolean isLoading;

  LogRereader(Database database, LogSql sql, LogInFlight inFlight) {
    this.database = database;
    this.sql = sql;
    this.inFlight = inFlight;
    this.threads = Daemons.named("postcommit-" + database.layout().table() + "-ahead");
  }

  /** Loads what the next claim may take, and starts loading ahead if there is anything to load. */
  void load(ClaimRequest request) {
    boolean unused = load(request, false);
    if (inFlight.hasToLoad(request, true)) {
      begin(request);
    }
  }

  private synchronized void begin(ClaimRequest request) {
    if (!isLoading) {
      isLoading = true;
      threads.newThread(() -> loadAhead(request)).start();
    }
  }

  private void loadAhead(ClaimRequest request) {
    try {
      boolean goesOn;
      do {
        goesOn = load(request, true);
      } while (goesOn);
    } catch (RuntimeException e) {
      log.debug("could not load ahead; a claim loads these rows, and reports the error", e);
    } finally {
      ended();
    }
  }

  private synchronized void ended() {
    isLoading = false;
  }

  /** Loads some rows; returns whether there were any. */
  private boolean load(ClaimRequest request, boolean ofBusy) {
    @Nullable Loading loading = inFlight.load(request, ofBusy);
    if (loading == null) {
      return false;
    }
    List<@Nullable LogEntry> rows = List.of();
    try {
      rows = read(loading);
    } finally {
      inFlight.loaded(loading, rows);
    }
    return !rows.isEmpty();
  }

  private List<@Nullable LogEntry> read(Loading loading) {
    List<Stub> stubs = loading.stubs();
    return database.run(
        "read",
        sql.readAgain,
        statement -> {
          statement
              .setNumbers("seqs", stubs.stream().map(Stub::seq).toList())
              .set("bytes", loading.bytes());
          List<@Nullable LogEntry> rows = new ArrayList<>();
          try (ResultSet row = statement.query()) {
            int isGone = row.findColumn("is_gone");
            while (row.next()) {
              Stub stub = stubs.get(rows.size());
              rows.add(row.getBoolean(isGone) ? null : stub.entry(database.reader().read(row, 1)));
            }
          }
          return rows;
        });
  }
}
