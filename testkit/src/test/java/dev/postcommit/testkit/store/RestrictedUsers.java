package dev.postcommit.testkit.store;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.Grants;
import dev.postcommit.store.LayoutCheck;
import dev.postcommit.testkit.contract.AdoptedSample;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database whose writer, relay and operator have the privileges that are printed for them. */
final class RestrictedUsers implements AutoCloseable {
  private final PostgresDatabase database = PostgresServer.shared().createDatabase();
  private final LayoutSample sample;

  RestrictedUsers(LayoutSample sample) throws SQLException {
    this.sample = sample;
    if (sample.layout().isPreset()) {
      OutboxMigration.migrate(database.dataSource(), sample.layout());
    } else {
      AdoptedSample.create(database.dataSource());
    }
    for (String user : users()) {
      execute("CREATE ROLE %s LOGIN".formatted(user));
    }
    if (layout().isLog()) {
      execute("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC");
    }
    List<String> grants =
        Stream.of(
                Grants.writer(layout(), writer()),
                Grants.relay(layout(), true, relay()),
                Grants.operator(layout(), operator()))
            .flatMap(List::stream)
            .toList();
    execute(grants.toArray(String[]::new));
  }

  LayoutSample sample() {
    return sample;
  }

  Layout layout() {
    return sample.layout();
  }

  String writer() {
    return "writer_" + database.name();
  }

  String relay() {
    return "relay_" + database.name();
  }

  String operator() {
    return "operator_" + database.name();
  }

  private List<String> users() {
    return List.of(writer(), relay(), operator());
  }

  /** The database as a user sees it. */
  DataSource login(String user) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(database.jdbcUrl());
    dataSource.setUser(user);
    return dataSource;
  }

  LayoutCheck check(String user) {
    return LayoutCheck.of(login(user), layout());
  }

  /** The database as its owner sees it. */
  DataSource owner() {
    return database.dataSource();
  }

  void execute(String... statements) throws SQLException {
    TableShape.execute(database.dataSource(), statements);
  }

  @Override
  public void close() throws SQLException {
    for (String user : users()) {
      execute("DROP OWNED BY " + user, "DROP ROLE " + user);
    }
    database.close();
  }
}
