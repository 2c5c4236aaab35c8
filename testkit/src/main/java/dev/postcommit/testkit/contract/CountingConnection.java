package dev.postcommit.testkit.contract;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.concurrent.atomic.AtomicInteger;

/** A connection that counts the statements executed on it. */
final class CountingConnection {
  private final AtomicInteger executions = new AtomicInteger();
  private final Connection connection;

  CountingConnection(Connection target) {
    connection = counting(Connection.class, target);
  }

  Connection connection() {
    return connection;
  }

  int executions() {
    return executions.get();
  }

  private <T> T counting(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getName().startsWith("execute")) {
                executions.incrementAndGet();
              }
              try {
                Object result = method.invoke(target, arguments);
                return result instanceof PreparedStatement statement
                    ? counting(PreparedStatement.class, statement)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
