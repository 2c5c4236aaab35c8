package dev.postcommit.spring;

import dev.postcommit.Event;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import org.springframework.jdbc.core.JdbcTemplate;

/** A database with orders and an outbox table, and what tests ask it. */
public final class Orders implements AutoCloseable {
  private final PostgresDatabase database = PostgresServer.shared().createDatabase();
  private final JdbcTemplate observer = new JdbcTemplate(database.dataSource());

  /** With the native table. */
  public Orders() {
    observer.execute("CREATE TABLE orders (id int PRIMARY KEY, status text)");
    OutboxMigration.migrate(database.dataSource(), Layout.nativeTable());
  }

  public PostgresDatabase database() {
    return database;
  }

  public static Event placed(int id) {
    return Event.builder("order.placed")
        .aggregate("order", Integer.toString(id))
        .json("{\"id\":" + id + "}")
        .build();
  }

  public static void insert(JdbcTemplate jdbc, int id) {
    jdbc.update("INSERT INTO orders VALUES (?, 'placed')", id);
  }

  /** How many orders of an id there are, seen from outside of any transaction of the test. */
  public int rows(int id) {
    return observer.queryForObject("SELECT count(*) FROM orders WHERE id = ?", Integer.class, id);
  }

  /** How many events of an order there are, seen from outside of any transaction of the test. */
  public int events(int id) {
    return observer.queryForObject(
        "SELECT count(*) FROM postcommit_outbox WHERE aggregate_id = ?",
        Integer.class,
        Integer.toString(id));
  }

  @Override
  public void close() {
    database.close();
  }
}
