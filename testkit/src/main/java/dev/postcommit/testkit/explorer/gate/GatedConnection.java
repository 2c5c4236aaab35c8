package dev.postcommit.testkit.explorer.gate;

import dev.postcommit.testkit.explorer.scheduler.Actor;
import dev.postcommit.testkit.explorer.scheduler.Session;
import dev.postcommit.testkit.explorer.search.Footprint;
import dev.postcommit.testkit.jdbc.JdbcProxy;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A connection whose statements are steps of an actor. */
final class GatedConnection {
  private static final Set<String> EXECUTE =
      Set.of("execute", "executeQuery", "executeUpdate", "executeLargeUpdate", "executeBatch");

  private final Actor actor;
  private final Session session;
  private final UnaryOperator<String> mutation;
  private final BiConsumer<Actor, Session> back;
  private final Connection proxy;

  /** Whether the open transaction has done anything that others may notice at its end. */
  private boolean hasWritten;

  private boolean isInText;
  private boolean isClosed;

  GatedConnection(
      Actor actor,
      Session session,
      UnaryOperator<String> mutation,
      BiConsumer<Actor, Session> back) {
    this.actor = actor;
    this.session = session;
    this.mutation = mutation;
    this.back = back;
    this.proxy = JdbcProxy.of(Connection.class, this::call);
  }

  Connection proxy() {
    return proxy;
  }

  private @Nullable Object call(Method method, Object[] arguments) throws Throwable {
    return switch (method.getName()) {
      case "prepareStatement" -> prepared(mutation.apply((String) arguments[0]));
      case "createStatement" -> statement(Statement.class, create(), "");
      case "commit" -> {
        end("COMMIT", Connection::commit);
        yield null;
      }
      case "rollback" -> rollback(method, arguments);
      case "setAutoCommit" -> {
        if ((Boolean) arguments[0] && !session.connection().getAutoCommit() && hasWritten) {
          end("COMMIT", Connection::commit);
        }
        yield JdbcProxy.call(session.connection(), method, arguments);
      }
      case "getTransactionIsolation" -> Connection.TRANSACTION_READ_COMMITTED;
      case "close" -> {
        close();
        yield null;
      }
      case "isClosed" -> isClosed || session.connection().isClosed();
      default -> JdbcProxy.call(session.connection(), method, arguments);
    };
  }

  private PreparedStatement prepared(String text) throws SQLException {
    List<String> parts = StatementText.parts(text);
    return parts.size() > 1
        ? new SplitStatement(this, parts).proxy()
        : statement(PreparedStatement.class, prepare(text), text);
  }

  private @Nullable Object rollback(Method method, Object @Nullable [] toSavepoint)
      throws Throwable {
    if (toSavepoint != null) {
      return JdbcProxy.call(session.connection(), method, toSavepoint);
    }
    end("ROLLBACK", Connection::rollback);
    return null;
  }

  private void close() throws SQLException {
    if (isClosed) {
      return;
    }
    isClosed = true;
    try {
      if (hasWritten && session.isUsable()) {
        // Closing a connection rolls its transaction back, killed or not.
        end("ROLLBACK", this::rollBack);
      } else if (isInText && session.isUsable()) {
        rollBack(session.connection());
      }
    } finally {
      back.accept(actor, session);
    }
  }

  PreparedStatement prepare(String text) throws SQLException {
    return actor.isVerbose()
        ? session
            .connection()
            .prepareStatement(text, ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)
        : session.connection().prepareStatement(text);
  }

  private Statement create() throws SQLException {
    return actor.isVerbose()
        ? session
            .connection()
            .createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY)
        : session.connection().createStatement();
  }

  Connection connection() {
    return proxy;
  }

  private <T extends Statement> T statement(Class<T> type, Statement real, String prepared) {
    return JdbcProxy.of(
        type,
        (method, arguments) -> {
          if (method.getName().equals("getConnection")) {
            return proxy;
          }
          if (!EXECUTE.contains(method.getName())) {
            return JdbcProxy.call(real, method, arguments);
          }
          String text = prepared;
          if (arguments != null && arguments.length > 0 && arguments[0] instanceof String given) {
            text = mutation.apply(given);
            arguments[0] = text;
          }
          Object[] sent = arguments;
          return execute(text, real, () -> JdbcProxy.call(real, method, sent));
        });
  }

  /** A call that is sent over the session. */
  @FunctionalInterface
  interface Sending {
    @Nullable Object send() throws Throwable;
  }

  /** Announces a statement and sends it when it may run. */
  @Nullable Object execute(String text, Statement statement, Sending sending) throws Throwable {
    Footprint footprint = Footprint.of(text);
    boolean isAlone = !isInText && session.connection().getAutoCommit();
    if (text.equals("BEGIN")) {
      isInText = true;
    }
    boolean isEnd = footprint.equals(Footprint.END);
    if (isEnd && !hasWritten) {
      footprint = Footprint.NONE;
    }
    announce(text, isAlone ? footprint.committed() : footprint);
    hasWritten |= footprint.writes() && !isAlone;
    if (isEnd) {
      hasWritten = false;
      isInText = false;
    }
    return send(statement, footprint, sending);
  }

  private void announce(String text, Footprint footprint) throws SQLException {
    try {
      actor.announce(text, footprint);
    } catch (Actor.GoneException e) {
      throw gone(e);
    }
  }

  /** Fails as if the session had ended, which is all that the code under test may see. */
  static SQLException gone(Actor.GoneException e) {
    return new SQLException(e.getMessage(), "57P01", e);
  }

  private @Nullable Object send(Statement statement, Footprint footprint, Sending sending)
      throws Throwable {
    actor.sends(session);
    try {
      Object result = sending.send();
      if (actor.isVerbose() && !footprint.isNone()) {
        actor.note(Results.text(statement));
      }
      return result;
    } catch (SQLException e) {
      actor.note(
          e.getSQLState() + " " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
      throw e;
    } finally {
      actor.sends(null);
    }
  }

  /** Ends the open transaction, even if a statement began it. */
  private void rollBack(Connection connection) throws SQLException {
    isInText = false;
    if (connection.getAutoCommit()) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("ROLLBACK");
      }
    } else {
      connection.rollback();
    }
  }

  /** Ends a transaction. */
  @FunctionalInterface
  private interface Ending {
    void end(Connection connection) throws SQLException;
  }

  private void end(String text, Ending ending) throws SQLException {
    Footprint footprint = hasWritten ? Footprint.END : Footprint.NONE;
    hasWritten = false;
    try {
      announce(text, footprint);
    } catch (Actor.KilledError e) {
      rollBack(session.connection());
      throw e;
    }
    actor.sends(session);
    try {
      ending.end(session.connection());
    } finally {
      actor.sends(null);
    }
  }
}
