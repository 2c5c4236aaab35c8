package dev.postcommit.examples.logistik;

import dev.postcommit.testkit.kafka.KafkaServer;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.io.PrintStream;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** {@code ./postcommit example logistik}. */
public final class Main {
  private Main() {}

  /** Runs the example; exits with 0 if all that it shows is so. */
  public static void main(String[] args) {
    System.exit(run(System.out));
  }

  /**
   * Runs the example on servers of its own.
   *
   * @param out where it says what happens
   * @return 0 if all that it shows is so, else 1
   */
  static int run(PrintStream out) {
    out.println("starting Postgres and Kafka ...");
    try (PostgresServer postgres = PostgresServer.start();
        PostgresDatabase database = postgres.createDatabase();
        KafkaServer kafka = KafkaServer.start()) {
      kafka.createTopic(OrdersServiceV2.PLACED, 3);
      try (ConfigurableApplicationContext application = start(database, kafka)) {
        new Story(application, kafka, out).tell();
      }
      return 0;
    } catch (Story.Untrue e) {
      out.println("NOT verified: " + e.getMessage());
      return 1;
    }
  }

  private static ConfigurableApplicationContext start(
      PostgresDatabase database, KafkaServer kafka) {
    return new SpringApplicationBuilder(LogistikApplication.class)
        .run(
            "--spring.datasource.url=" + database.jdbcUrl(),
            "--spring.datasource.username=" + database.username(),
            "--spring.kafka.bootstrap-servers=" + kafka.bootstrapServers());
  }
}
