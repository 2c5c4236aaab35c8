package dev.postcommit.testkit.postgres;

import javax.sql.DataSource;

/** A database of a {@link PostgresServer}, created for one test and dropped on close. */
public interface PostgresDatabase extends AutoCloseable {

  /** The name of the database. */
  String name();

  /** Returns the URL of the database, without the user. */
  String jdbcUrl();

  /** The superuser. */
  String username();

  /** A connection pool on the database, closed with it. */
  DataSource dataSource();

  /** Ends its sessions and drops the database. */
  @Override
  void close();
}
