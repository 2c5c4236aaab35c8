package dev.postcommit.relay;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A pool whose database goes away and comes back when a test says so. */
final class OutagePool {
  private final DataSource dataSource;
  private final AtomicInteger failures = new AtomicInteger();
  private volatile boolean failing;

  OutagePool(DataSource pool) {
    dataSource =
        (DataSource)
            Proxy.newProxyInstance(
                DataSource.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                  if (failing) {
                    failures.incrementAndGet();
                    throw new SQLException("connection refused", "08001");
                  }
                  try {
                    return method.invoke(pool, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
  }

  DataSource dataSource() {
    return dataSource;
  }

  /** How often a connection was refused. */
  int failures() {
    return failures.get();
  }

  void fail(boolean fails) {
    failing = fails;
  }
}
