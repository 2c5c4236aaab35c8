package dev.postcommit.bench.contender;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;

/**
 * When each thread's last commit was answered by the database.
 *
 * <p>A contender may do much between the commit and its return to the writer: hand the event to its
 * relay, or be interrupted by it. That is part of the way of the event.
 */
final class CommitTimes {
  private static final long NONE = 0;
  private static final ThreadLocal<long[]> LAST = ThreadLocal.withInitial(() -> new long[] {NONE});

  private CommitTimes() {}

  /** A source of the same connections, whose commits are noted. */
  static DataSource noting(DataSource source) {
    return proxy(
        DataSource.class,
        (self, method, arguments) -> {
          Object result = call(source, method, arguments);
          return result instanceof Connection connection ? noting(connection) : result;
        });
  }

  private static Connection noting(Connection connection) {
    return proxy(
        Connection.class,
        (self, method, arguments) -> {
          Object result = call(connection, method, arguments);
          if (method.getName().equals("commit")) {
            LAST.get()[0] = System.nanoTime();
          }
          return result;
        });
  }

  /** Forgets the last commit of this thread. */
  static void forget() {
    LAST.get()[0] = NONE;
  }

  /** When the last commit of this thread was answered, by {@link System#nanoTime()}. */
  static long last() {
    long last = LAST.get()[0];
    if (last == NONE) {
      throw new IllegalStateException("the transaction was not committed by this thread");
    }
    return last;
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(CommitTimes.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
