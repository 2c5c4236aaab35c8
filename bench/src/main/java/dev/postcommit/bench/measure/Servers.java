package dev.postcommit.bench.measure;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.kafka.KafkaPublisher;
import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.util.Map;
import java.util.TreeMap;

/** The servers of one run: a durable Postgres and a Kafka broker. */
public final class Servers implements AutoCloseable {
  /** A topic for contenders that need only one. */
  public static final String TOPIC = "bench";

  public static final int PARTITIONS = 6;

  private static final int CONNECTIONS = 20;

  /** Settings of Postgres that differ from the defaults. */
  public static final Map<String, String> POSTGRES =
      new TreeMap<>(
          Map.of(
              "shared_buffers", "512MB",
              "max_wal_size", "4GB",
              "max_connections", "400",
              "wal_level", "logical"));

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

  /** Starts them. */
  public static Servers start() {
    return start(POSTGRES);
  }

  /** Starts them with these settings of Postgres. */
  public static Servers start(Map<String, String> settings) {
    System.out.println("starting Postgres (fsync on) and Kafka ...");
    PostgresServer.Builder builder = PostgresServer.builder();
    settings.forEach(builder::setting);
    PostgresServer postgres = builder.start();
    try {
      Servers servers = new Servers(postgres, KafkaServer.start());
      servers.kafka.createTopic(TOPIC, PARTITIONS);
      return servers;
    } catch (RuntimeException | Error e) {
      postgres.close();
      throw e;
    }
  }

  /** Returns connections for the driver. */
  public HikariDataSource dataSource() {
    return dataSource;
  }

  public PostgresServer postgres() {
    return postgres;
  }

  /** Creates another database of the same server. */
  public PostgresDatabase createDatabase() {
    return postgres.createDatabase();
  }

  public KafkaServer kafka() {
    return kafka;
  }

  /** Returns the address of Kafka. */
  public String bootstrapServers() {
    return kafka.bootstrapServers();
  }

  /** Returns a publisher to this Kafka. */
  public KafkaPublisher publisher() {
    return KafkaPublisher.builder().bootstrapServers(kafka.bootstrapServers()).build();
  }

  @Override
  public void close() {
    dataSource.close();
    kafka.close();
    postgres.close();
  }
}
