package dev.postcommit.internal.jdbc;

import dev.postcommit.internal.jdbc.Database.StatementWork;
import dev.postcommit.store.ClaimRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * SQL whose parameters have names: {@code :name} marks each place where the value goes. Quoted text
 * and casts ({@code ::}) are left alone. The text is parsed once, when it is rendered, so running
 * it costs no more than with {@code ?}.
 *
 * <p>A text may hold several statements, which are sent together; the rows read are those of the
 * last one. See {@link dev.postcommit.support.OneTransaction} for how they become one transaction.
 */
public final class NamedSql {
  private static final Pattern TOKEN = Pattern.compile("'[^']*'|\"[^\"]*\"|::|;|:([a-z][a-z_]*)");

  private static final String COMMIT = "COMMIT";

  private final String text;
  private final Map<String, int[]> positions;
  private final int lastResult;

  private NamedSql(String text, Map<String, int[]> positions, int lastResult) {
    this.text = text;
    this.positions = positions;
    this.lastResult = lastResult;
  }

  public static NamedSql of(String named) {
    Map<String, int[]> positions = new HashMap<>();
    StringBuilder text = new StringBuilder();
    Matcher token = TOKEN.matcher(named);
    int count = 0;
    int separators = 0;
    while (token.find()) {
      @Nullable String name = token.group(1);
      if (name != null) {
        positions.merge(name, new int[] {++count}, NamedSql::concat);
      } else if (token.group().equals(";")) {
        separators++;
      }
      token.appendReplacement(text, name == null ? Matcher.quoteReplacement(token.group()) : "?");
    }
    token.appendTail(text);
    int lastResult = named.endsWith(COMMIT) ? separators - 1 : separators;
    return new NamedSql(text.toString(), Map.copyOf(positions), lastResult);
  }

  private static int[] concat(int[] some, int[] more) {
    int[] all = Arrays.copyOf(some, some.length + more.length);
    System.arraycopy(more, 0, all, some.length, more.length);
    return all;
  }

  /**
   * The condition that narrows a statement to a request's namespace and tenant; {@link
   * NamedStatement#setScope} sets its parameters.
   */
  public static String scope(ClaimRequest request) {
    return (request.namespace() == null ? "" : " AND {namespace} = :namespace")
        + (request.tenant() == null ? "" : " AND {tenant} = CAST(:tenant AS uuid)");
  }

  /** Prepares the statement, does some work with it, and closes it. */
  public <T> T run(Connection connection, StatementWork<T> work) throws SQLException {
    try (NamedStatement statement = prepare(connection)) {
      return work.on(statement);
    }
  }

  /** Prepares the statement; the caller closes it. */
  public NamedStatement prepare(Connection connection) throws SQLException {
    return new NamedStatement(this, connection.prepareStatement(text));
  }

  /** The text as JDBC takes it, with {@code ?} for each parameter. */
  public String text() {
    return text;
  }

  /** The positions of a parameter, counted from 1. */
  int[] positions(String name) {
    int @Nullable [] found = positions.get(name);
    if (found == null) {
      throw new IllegalArgumentException("no parameter :" + name + " in " + text);
    }
    return found;
  }

  /** Which of the results is that of the last statement before COMMIT, counted from 0. */
  int lastResult() {
    return lastResult;
  }

  boolean isTransaction() {
    return text.endsWith(COMMIT);
  }
}
