package dev.postcommit.consumer;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;

/** A connection on which handlers can do anything except end the transaction. */
final class HandlerConnection {
  private static final Set<String> REFUSED =
      Set.of("commit", "rollback", "close", "abort", "setAutoCommit");

  private HandlerConnection() {}

  static Connection of(Connection tx) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              boolean toSavepoint = arguments != null && method.getName().equals("rollback");
              if (REFUSED.contains(method.getName()) && !toSavepoint) {
                throw new UnsupportedOperationException(
                    method.getName()
                        + " is not for handlers: the transaction also remembers the event as"
                        + " processed, and is ended after the handler");
              }
              try {
                return method.invoke(tx, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
