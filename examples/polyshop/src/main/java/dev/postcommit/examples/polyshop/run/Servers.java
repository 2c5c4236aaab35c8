package dev.postcommit.examples.polyshop.run;

import dev.postcommit.examples.polyshop.events.Topics;
import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.TableName;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * One Postgres with a database for each service, and one Kafka.
 *
 * @param postgres the databases
 * @param kafka the topics
 */
record Servers(PostgresServer postgres, KafkaServer kafka) implements AutoCloseable {
  private static final int PARTITIONS = 3;
  private static final String HOST = "127.0.0.1";

  /** Starts both at the same time. */
  static Servers start() {
    CompletableFuture<PostgresServer> postgres =
        CompletableFuture.supplyAsync(PostgresServer::start);
    KafkaServer kafka;
    try {
      kafka = KafkaServer.start();
    } catch (RuntimeException e) {
      var unused = postgres.thenAccept(PostgresServer::close);
      throw e;
    }
    try {
      return new Servers(postgres.join(), kafka);
    } catch (RuntimeException e) {
      kafka.close();
      throw e;
    }
  }

  /** Makes the topics, and each service's database with the tables of its outbox and inbox. */
  void prepare(List<Service> services) throws SQLException {
    CompletableFuture<Void> topics =
        CompletableFuture.runAsync(
            () -> Topics.ALL.forEach(topic -> kafka.createTopic(topic, PARTITIONS)));
    for (Service service : services) {
      try (Connection connection = postgres.dataSource().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE DATABASE \"%s\"".formatted(service.database()));
      }
      if (service.emits()) {
        OutboxMigration.migrate(database(service), Layout.preset("polyshop"));
      }
      if (service.consumes()) {
        InboxMigration.migrate(database(service), TableName.of("processed_events"));
      }
    }
    topics.join();
  }

  DataSource database(Service service) {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(jdbcUrl(service));
    dataSource.setUser(postgres.username());
    return dataSource;
  }

  String jdbcUrl(Service service) {
    return "jdbc:postgresql://%s:%d/%s".formatted(HOST, postgres.port(), service.database());
  }

  /** The address of a database as other languages have it. */
  String url(Service service) {
    return "postgresql://%s@%s:%d/%s"
        .formatted(postgres.username(), HOST, postgres.port(), service.database());
  }

  @Override
  public void close() {
    try {
      kafka.close();
    } finally {
      postgres.close();
    }
  }
}
