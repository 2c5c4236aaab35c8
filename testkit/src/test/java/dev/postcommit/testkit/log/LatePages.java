package dev.postcommit.testkit.log;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
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
    return proxy(
        DataSource.class,
        pool,
        (connection, sql) ->
            connection instanceof Connection opened
                ? proxy(Connection.class, opened, LatePages.this::watched)
                : connection);
  }

  private Object watched(Object statement, String sql) {
    return statement instanceof PreparedStatement prepared && sql.contains(READS_A_PAGE)
        ? proxy(PreparedStatement.class, prepared, (result, none) -> late(result))
        : statement;
  }

  private Object late(Object result) throws InterruptedException {
    // Only an execution tells of a result set.
    if (result instanceof Boolean) {
      read.countDown();
      released.await(20, TimeUnit.SECONDS);
    }
    return result;
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

  private interface After {
    Object call(Object result, String text) throws InterruptedException;
  }

  private static <T> T proxy(Class<T> type, T target, After after) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                boolean hasText =
                    arguments != null && arguments.length > 0 && arguments[0] instanceof String;
                Object result = method.invoke(target, arguments);
                boolean isCall =
                    method.getName().equals("execute")
                        || method.getName().equals("prepareStatement")
                        || method.getName().equals("getConnection");
                return isCall ? after.call(result, hasText ? (String) arguments[0] : "") : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
