package dev.postcommit.testkit.explorer.inbox;

import dev.postcommit.testkit.explorer.scenario.Stage;
import dev.postcommit.testkit.jdbc.JdbcProxy;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections of an actor over a {@link Wire}: replies can be lost, and commits be late. */
final class WiredConnections {
  private static final String LOST = "08006";

  private final Stage.Role self;
  private final DataSource connections;
  private final Wire wire;

  private WiredConnections(Stage.Role self, DataSource connections, Wire wire) {
    this.self = self;
    this.connections = connections;
    this.wire = wire;
  }

  static DataSource of(Stage.Role self, DataSource connections, Wire wire) {
    WiredConnections wired = new WiredConnections(self, connections, wire);
    return JdbcProxy.of(
        DataSource.class,
        (method, arguments) ->
            method.getName().equals("getConnection")
                ? wired.open()
                : JdbcProxy.call(connections, method, arguments));
  }

  private Connection open() throws SQLException {
    WiredConnection wired = new WiredConnection(connections.getConnection());
    return JdbcProxy.of(Connection.class, wired::call);
  }

  /** Ends the sending of a request that is to arrive later. */
  private static final class GivenUpException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final class WiredConnection {
    private static final Set<String> OF_A_BROKEN_ONE = Set.of("close", "isClosed", "isValid");

    private final Connection connection;
    private boolean isBroken;
    private boolean isLate;

    WiredConnection(Connection connection) {
      this.connection = connection;
    }

    @Nullable Object call(Method method, Object[] arguments) throws Throwable {
      if (isBroken && !OF_A_BROKEN_ONE.contains(method.getName())) {
        throw lost();
      }
      return switch (method.getName()) {
        case "commit" -> {
          commit();
          yield null;
        }
        case "prepareStatement" ->
            statement(PreparedStatement.class, JdbcProxy.call(connection, method, arguments));
        case "createStatement" ->
            statement(Statement.class, JdbcProxy.call(connection, method, arguments));
        case "isClosed" -> isBroken || connection.isClosed();
        case "isValid" -> !isBroken && connection.isValid((Integer) arguments[0]);
        case "close" -> {
          // The session of a late commit is still in its transaction.
          if (!isLate) {
            connection.close();
          }
          yield null;
        }
        default -> JdbcProxy.call(connection, method, arguments);
      };
    }

    private void commit() throws SQLException {
      self.atNextStep(
          () -> {
            if (wire.takes(Wire.Fate.LATE)) {
              throw new GivenUpException();
            }
          });
      try {
        connection.commit();
      } catch (GivenUpException e) {
        isLate = true;
        wire.keep(this::commitLate);
        throw broken();
      } finally {
        self.atNextStep(() -> {});
      }
      if (wire.takes(Wire.Fate.REPLY_LOST)) {
        throw broken();
      }
    }

    private void commitLate() throws SQLException {
      try (Connection late = connection) {
        late.commit();
      }
    }

    private <T extends Statement> T statement(Class<T> type, @Nullable Object real) {
      Statement statement = Objects.requireNonNull(type.cast(real));
      return JdbcProxy.of(
          type,
          (method, arguments) -> {
            Object result = JdbcProxy.call(statement, method, arguments);
            if (method.getName().startsWith("execute") && wire.takes(Wire.Fate.REPLY_LOST)) {
              throw broken();
            }
            return method.getName().equals("getConnection")
                ? JdbcProxy.of(Connection.class, this::call)
                : result;
          });
    }

    private SQLException broken() {
      isBroken = true;
      self.note("the reply is lost");
      return lost();
    }

    private SQLException lost() {
      return new SQLException("the connection is lost", LOST);
    }
  }
}
