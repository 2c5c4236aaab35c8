package dev.postcommit.server.table;

import dev.postcommit.settings.SettingException;
import dev.postcommit.store.OutboxAdmin;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Plain connections for short commands, which need one or two. */
public final class Databases {
  private static final int CONNECT_SECONDS = 10;

  /** Longer than any statement on a table of sensible size. */
  private static final int ANSWER_SECONDS = 60;

  private Databases() {}

  public static OutboxAdmin admin(OutboxTable table) {
    return OutboxAdmin.of(simple(table), table.layout());
  }

  /** The same with timeouts, for processes without a user who can interrupt them. */
  public static DataSource bounded(OutboxTable table) {
    PGSimpleDataSource dataSource = simple(table);
    dataSource.setConnectTimeout(CONNECT_SECONDS);
    dataSource.setSocketTimeout(ANSWER_SECONDS);
    return dataSource;
  }

  public static PGSimpleDataSource simple(OutboxTable table) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    try {
      dataSource.setUrl(table.url());
    } catch (IllegalArgumentException e) {
      throw new SettingException("database-url: the value is not a valid jdbc:postgresql: url");
    }
    if (table.user() != null) {
      dataSource.setUser(table.user());
    }
    if (table.password() != null) {
      dataSource.setPassword(table.password());
    }
    dataSource.setApplicationName("postcommit");
    dataSource.setLoginTimeout(CONNECT_SECONDS);
    dataSource.setTcpKeepAlive(true);
    return dataSource;
  }
}
