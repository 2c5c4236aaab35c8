package dev.postcommit.testkit.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Proxies of JDBC's interfaces, for tests that watch or change what goes over them. */
public final class JdbcProxy {
  private JdbcProxy() {}

  /** What a proxy does in place of a call. */
  @FunctionalInterface
  public interface Around {
    /** Makes the call, or another, by {@link JdbcProxy#call}; returns what is to be returned. */
    @Nullable Object call(Method method, Object[] arguments) throws Throwable;
  }

  /** An object of this type, each call of which is another's. */
  public static <T> T of(Class<T> type, Around around) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> around.call(method, arguments)));
  }

  /** Calls a method, and throws what it throws. */
  public static @Nullable Object call(Object target, Method method, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
