package dev.postcommit.examples.minichat;

import static dev.postcommit.examples.minichat.Fixture.eventually;

import dev.postcommit.examples.minichat.jdbc.Sql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** Several who do something at the same time. */
final class AtOnce implements AutoCloseable {
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Does it so many times at once, and returns all results. */
  <T> List<T> run(int times, Callable<T> work) throws Exception {
    return results(begin(times, work));
  }

  /**
   * As {@link #run}, of work that changes quotas: nobody comes further than that before all wait
   * for a lock.
   */
  <T> List<T> runUntilAllWait(DataSource chat, int times, Callable<T> work) throws Exception {
    List<Future<T>> begun =
        Sql.transact(
            chat,
            tx -> {
              Sql.query(tx, "SELECT 1 FROM quotas FOR UPDATE", row -> row.getInt(1));
              List<Future<T>> running = begin(times, work);
              eventually().until(() -> waiting(chat) == times);
              return running;
            });
    return results(begun);
  }

  private <T> List<Future<T>> begin(int times, Callable<T> work) {
    List<Future<T>> begun = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      begun.add(threads.submit(work));
    }
    return begun;
  }

  private static <T> List<T> results(List<Future<T>> begun) throws Exception {
    List<T> results = new ArrayList<>();
    for (Future<T> result : begun) {
      results.add(result.get(30, TimeUnit.SECONDS));
    }
    return results;
  }

  private static long waiting(DataSource chat) throws SQLException {
    return Sql.number(
        chat,
        """
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'""");
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
