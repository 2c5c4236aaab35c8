package dev.postcommit.testkit.explorer.gate;

import dev.postcommit.testkit.jdbc.JdbcProxy;
import java.lang.reflect.Method;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Several statements in one text, sent one by one as a driver may do. Each is a step, so other
 * actors can run in between, as they can on the server while one of the statements waits.
 */
final class SplitStatement {

  /** A parameter that was set. */
  private record Parameter(Method setter, List<Object> arguments) {}

  /** The result of a statement. */
  private record Result(@Nullable ResultSet rows, int count) {}

  private final GatedConnection connection;
  private final List<String> parts;
  private final Map<Integer, Parameter> parameters = new HashMap<>();
  private final List<PreparedStatement> open = new ArrayList<>();
  private final List<Result> results = new ArrayList<>();
  private int current;

  SplitStatement(GatedConnection connection, List<String> parts) {
    this.connection = connection;
    this.parts = parts;
  }

  PreparedStatement proxy() {
    return JdbcProxy.of(PreparedStatement.class, this::call);
  }

  private @Nullable Object call(Method method, Object[] arguments) throws Throwable {
    String name = method.getName();
    if (name.startsWith("set") && arguments.length > 1) {
      parameters.put(
          (Integer) arguments[0], new Parameter(method, Arrays.asList(arguments.clone())));
      return null;
    }
    return switch (name) {
      case "execute" -> {
        execute();
        yield results.get(0).rows() != null;
      }
      case "getMoreResults" -> {
        current++;
        yield current < results.size() && results.get(current).rows() != null;
      }
      case "getResultSet" -> results.get(current).rows();
      case "getUpdateCount" -> current < results.size() ? results.get(current).count() : -1;
      case "getConnection" -> connection.connection();
      case "close" -> {
        close();
        yield null;
      }
      case "setFetchSize", "setQueryTimeout" -> null;
      default -> throw new SQLException("statements that are sent one by one have no " + name);
    };
  }

  private void execute() throws Throwable {
    close();
    results.clear();
    current = 0;
    int first = 1;
    for (String part : parts) {
      PreparedStatement statement = connection.prepare(part);
      open.add(statement);
      int count = StatementText.parameters(part);
      for (int i = 0; i < count; i++) {
        Parameter parameter = parameters.get(first + i);
        if (parameter == null) {
          throw new SQLException("parameter " + (first + i) + " is not set");
        }
        Object[] arguments = parameter.arguments().toArray();
        arguments[0] = i + 1;
        JdbcProxy.call(statement, parameter.setter(), arguments);
      }
      first += count;
      boolean hasRows =
          Boolean.TRUE.equals(connection.execute(part, statement, statement::execute));
      results.add(
          hasRows
              ? new Result(statement.getResultSet(), -1)
              : new Result(null, statement.getUpdateCount()));
    }
  }

  private void close() throws SQLException {
    for (PreparedStatement statement : open) {
      statement.close();
    }
    open.clear();
  }
}
