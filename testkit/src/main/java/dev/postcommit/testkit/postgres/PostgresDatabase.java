package dev.postcommit.testkit.postgres;

import javax.sql.DataSource;

/** A database of a {@link PostgresServer}, made for one test and dropped on close. */
public interface PostgresDatabase extends AutoCloseable {

  /** The name of the database. */
  String name();

  /** The address of the database; the user is not part of it. */
  String jdbcUrl();

  /** The superuser. */
  String username();

  /** A connection pool on the database, closed with it. */
  DataSource dataSource();

  /** Drops the database, cutting off the sessions it has. */
  @Override
  void close();
}
