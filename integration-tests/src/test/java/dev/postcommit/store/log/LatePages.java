package dev.postcommit.store.log;

import dev.postcommit.testkit.jdbc.JdbcProxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * A pool over which a page of a log can arrive late: the database has read it, and the relay does
 * not know it yet. Everything else is answered meanwhile.
 */
final class LatePages {
  private static final String READS_A_PAGE = "postcommit.upto";

  private final DataSource pool;
  private volatile CountDownLatch read = new CountDownLatch(0);
  private volatile CountDownLatch released = new CountDownLatch(0);

  LatePages(DataSource pool) {
    this.pool = pool;
  }

  DataSource dataSource() {
    return JdbcProxy.of(
        DataSource.class,
        (method, arguments) -> {
          Object result = JdbcProxy.call(pool, method, arguments);
          return result instanceof Connection connection ? watched(connection) : result;
        });
  }

  private Connection watched(Connection connection) {
    return JdbcProxy.of(
        Connection.class,
        (method, arguments) -> {
          Object result = JdbcProxy.call(connection, method, arguments);
          return result instanceof PreparedStatement statement
                  && ((String) arguments[0]).contains(READS_A_PAGE)
              ? late(statement)
              : result;
        });
  }

  private PreparedStatement late(PreparedStatement statement) {
    return JdbcProxy.of(
        PreparedStatement.class,
        (method, arguments) -> {
          Object result = JdbcProxy.call(statement, method, arguments);
          if (method.getName().equals("execute")) {
            read.countDown();
            released.await(20, TimeUnit.SECONDS);
          }
          return result;
        });
  }

  /** The next page is late. */
  void holdBack() {
    read = new CountDownLatch(1);
    released = new CountDownLatch(1);
  }

  /** Waits until the database has read the page that is late. */
  void awaitRead() throws InterruptedException {
    if (!read.await(20, TimeUnit.SECONDS)) {
      throw new AssertionError("no page was read");
    }
  }

  /** Lets the page arrive. */
  void release() {
    released.countDown();
  }
}
