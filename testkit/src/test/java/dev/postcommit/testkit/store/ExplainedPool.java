package dev.postcommit.testkit.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.testkit.jdbc.JdbcProxy;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLWarning;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;

/**
 * A pool whose statements Postgres explains as it runs them: with the values they had, and with the
 * plan that the driver's and the server's caches made of it.
 */
final class ExplainedPool implements AutoCloseable {
  private static final List<String> SETTINGS =
      List.of(
          "session_preload_libraries=auto_explain",
          "auto_explain.log_min_duration=0",
          "auto_explain.log_analyze=on",
          "auto_explain.log_timing=off",
          "auto_explain.log_level=notice");

  private static final Set<String> ENDS = Set.of("commit", "rollback", "close");
  private static final Pattern NODE =
      Pattern.compile("actual rows=(\\d+)(?:\\.\\d+)? loops=(\\d+)");
  private static final Pattern REMOVED = Pattern.compile("Rows Removed by .*: (\\d+)");
  private static final Pattern SEARCHES = Pattern.compile("Index Searches: (\\d+)");

  private final HikariDataSource pool;
  private final List<String> plans = new CopyOnWriteArrayList<>();

  /** A pool of connections with another setting of the server. */
  ExplainedPool(PostgresDatabase database, String setting) {
    String options =
        Stream.concat(SETTINGS.stream(), Stream.of(setting))
            .map(each -> "-c " + each)
            .reduce("", (all, each) -> all + " " + each);
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(
        database.jdbcUrl()
            + "?options="
            + URLEncoder.encode(options, StandardCharsets.UTF_8).replace("+", "%20"));
    config.setUsername(database.username());
    // Few, so that each of them runs a statement often enough for it to be planned once and for
    // all.
    config.setMaximumPoolSize(3);
    pool = new HikariDataSource(config);
  }

  /** The pool. */
  DataSource dataSource() {
    return JdbcProxy.of(
        DataSource.class,
        (method, arguments) -> {
          Object result = JdbcProxy.call(pool, method, arguments);
          return result instanceof Connection connection ? explained(connection) : result;
        });
  }

  private Connection explained(Connection target) {
    return JdbcProxy.of(
        Connection.class,
        (method, arguments) -> {
          if (method.getName().equals("close")) {
            take(target.getWarnings());
          }
          Object result = JdbcProxy.call(target, method, arguments);
          return result instanceof PreparedStatement statement ? explained(statement) : result;
        });
  }

  private PreparedStatement explained(PreparedStatement target) {
    return JdbcProxy.of(
        PreparedStatement.class,
        (method, arguments) -> {
          if (ENDS.contains(method.getName())) {
            take(target.getWarnings());
          }
          return JdbcProxy.call(target, method, arguments);
        });
  }

  private void take(SQLWarning first) {
    for (SQLWarning each = first; each != null; each = each.getNextWarning()) {
      plans.add(each.getMessage());
    }
  }

  /** What was explained so far, each statement with its text, in some order. */
  List<String> plans() {
    return plans;
  }

  /**
   * The most rows that one node of a plan read, whether it went on with them or not, or the most
   * places at which it looked into an index.
   */
  static long mostRows(String plan) {
    long most = 0;
    long rows = 0;
    long loops = 1;
    for (String line : plan.lines().toList()) {
      Matcher node = NODE.matcher(line);
      Matcher removed = REMOVED.matcher(line);
      Matcher searches = SEARCHES.matcher(line);
      if (node.find()) {
        loops = Long.parseLong(node.group(2));
        rows = Long.parseLong(node.group(1)) * loops;
      } else if (removed.find()) {
        rows += Long.parseLong(removed.group(1)) * loops;
      } else if (searches.find()) {
        most = Math.max(most, Long.parseLong(searches.group(1)));
      }
      most = Math.max(most, rows);
    }
    return most;
  }

  @Override
  public void close() {
    pool.close();
  }
}
