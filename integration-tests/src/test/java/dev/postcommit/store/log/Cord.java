package dev.postcommit.store.log;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import javax.sql.DataSource;

/** What ties a relay to the world, until it is cut. */
final class Cord {
  private boolean cut;

  /** Nothing that has not happened happens any more. */
  synchronized void cut() {
    cut = true;
  }

  /** Does what is done at once, unless the cord is cut; returns whether it was done. */
  synchronized boolean unlessCut(Runnable action) {
    if (!cut) {
      action.run();
    }
    return !cut;
  }

  /** A pool that gives no more connections once the cord is cut. */
  DataSource through(DataSource pool) {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              if (!unlessCut(() -> {})) {
                throw new SQLException("cut off", "08001");
              }
              try {
                return method.invoke(pool, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
