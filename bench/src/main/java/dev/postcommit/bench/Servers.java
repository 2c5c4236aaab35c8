package dev.postcommit.bench;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.layout.Layout;
import dev.postcommit.testkit.KafkaServer;
import dev.postcommit.testkit.PostgresServer;

/** The servers of one run. */
final class Servers implements AutoCloseable {
  /** Where the events go. */
  static final String TOPIC = "bench";

  private static final int PARTITIONS = 6;
  private static final int CONNECTIONS = 20;

  private final PostgresServer postgres;
  private final KafkaServer kafka;
  private final HikariDataSource dataSource;

  private Servers(PostgresServer postgres, KafkaServer kafka) {
    this.postgres = postgres;
    this.kafka = kafka;
    HikariConfig pool = new HikariConfig();
    pool.setJdbcUrl(postgres.jdbcUrl());
    pool.setUsername(postgres.username());
    pool.setMaximumPoolSize(CONNECTIONS);
    this.dataSource = new HikariDataSource(pool);
  }

  static Servers start() {
    System.out.println("starting Postgres (fsync on) and Kafka ...");
    PostgresServer postgres =
        PostgresServer.builder()
            .setting("shared_buffers", "512MB")
            .setting("max_wal_size", "4GB")
            .start();
    Servers servers = new Servers(postgres, KafkaServer.start());
    servers.kafka.createTopic(TOPIC, PARTITIONS);
    OutboxMigration.migrate(servers.dataSource, Layout.nativeTable());
    return servers;
  }

  HikariDataSource dataSource() {
    return dataSource;
  }

  PostgresServer postgres() {
    return postgres;
  }

  String bootstrapServers() {
    return kafka.bootstrapServers();
  }

  KafkaPublisher publisher() {
    return KafkaPublisher.builder().bootstrapServers(kafka.bootstrapServers()).build();
  }

  @Override
  public void close() {
    dataSource.close();
    kafka.close();
    postgres.close();
  }
}
