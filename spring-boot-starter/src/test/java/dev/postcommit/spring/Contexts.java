package dev.postcommit.spring;

import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.spring.relay.HealthAutoConfiguration;
import dev.postcommit.spring.relay.KafkaPublisherAutoConfiguration;
import dev.postcommit.spring.relay.MetricsAutoConfiguration;
import dev.postcommit.spring.relay.PubSubPublisherAutoConfiguration;
import dev.postcommit.spring.relay.RelayAutoConfiguration;
import dev.postcommit.spring.relay.TracingAutoConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Applications for tests. */
public final class Contexts {
  private Contexts() {}

  /** All of Postcommit, with a data source behind which there is no database. */
  public static ApplicationContextRunner withoutDatabase() {
    return plain().withBean("dataSource", DataSource.class, Contexts::nowhere);
  }

  /** All of Postcommit, and no data source. */
  public static ApplicationContextRunner plain() {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                ApplicationEventsAutoConfiguration.class,
                HealthAutoConfiguration.class,
                KafkaPublisherAutoConfiguration.class,
                MetricsAutoConfiguration.class,
                MigrationAutoConfiguration.class,
                OutboxAutoConfiguration.class,
                PayloadAutoConfiguration.class,
                PubSubPublisherAutoConfiguration.class,
                RelayAutoConfiguration.class,
                TracingAutoConfiguration.class));
  }

  /** All of Postcommit in an application with a pool on a database and its transactions. */
  public static ApplicationContextRunner onDatabase(String jdbcUrl, String user) {
    return plain()
        .withConfiguration(
            AutoConfigurations.of(
                DataSourceAutoConfiguration.class,
                DataSourceTransactionManagerAutoConfiguration.class,
                JdbcTemplateAutoConfiguration.class,
                TransactionAutoConfiguration.class))
        .withPropertyValues(
            "spring.datasource.url=" + jdbcUrl,
            "spring.datasource.username=" + user,
            "spring.datasource.hikari.minimum-idle=0");
  }

  public static DataSource nowhere() {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setPortNumbers(new int[] {1});
    dataSource.setConnectTimeout(1);
    return dataSource;
  }

  /** A publisher that keeps what it is given. */
  @Configuration(proxyBeanMethods = false)
  public static class Published {
    public final List<Message> messages = new CopyOnWriteArrayList<>();

    @Bean
    Publisher publisher() {
      return Publisher.callback(Duration.ofSeconds(1), messages::add);
    }
  }
}
