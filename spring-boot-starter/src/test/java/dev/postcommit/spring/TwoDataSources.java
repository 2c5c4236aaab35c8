package dev.postcommit.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application with two data sources, the first of which has the outbox. */
abstract class TwoDataSources {
  static Orders orders;
  static Orders others;
  static ConfigurableApplicationContext application;

  /** An application with two data sources and a transaction manager for each. */
  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnablePostcommit
  static class Application {
    @Bean
    @Primary
    HikariDataSource ordersDataSource(Environment environment) {
      return pool(environment.getRequiredProperty("orders"));
    }

    @Bean
    HikariDataSource othersDataSource(Environment environment) {
      return pool(environment.getRequiredProperty("others"));
    }

    private static HikariDataSource pool(String url) {
      HikariDataSource pool =
          DataSourceBuilder.create().type(HikariDataSource.class).url(url).build();
      pool.setUsername("postgres");
      pool.setMinimumIdle(0);
      pool.setMaximumPoolSize(4);
      return pool;
    }

    @Bean
    @Primary
    JdbcTransactionManager ordersTransactions(DataSource ordersDataSource) {
      return new JdbcTransactionManager(ordersDataSource);
    }

    @Bean
    JdbcTransactionManager othersTransactions(
        @Qualifier("othersDataSource") DataSource othersDataSource) {
      return new JdbcTransactionManager(othersDataSource);
    }
  }

  @BeforeAll
  static void start() {
    orders = new Orders();
    others = new Orders();
    application =
        new SpringApplicationBuilder(Application.class)
            .web(WebApplicationType.NONE)
            .properties(
                "orders=" + orders.database().jdbcUrl(), "others=" + others.database().jdbcUrl())
            .run();
  }

  @AfterAll
  static void stop() {
    application.close();
    orders.close();
    others.close();
  }

  final SpringOutbox outbox = application.getBean(SpringOutbox.class);
  final JdbcTemplate jdbc = application.getBean(JdbcTemplate.class);

  /** Whatever a test does, no connection stays with it. */
  @AfterEach
  void noConnectionIsLeft() {
    for (HikariDataSource pool : application.getBeansOfType(HikariDataSource.class).values()) {
      assertThat(pool.getHikariPoolMXBean() == null ? 0 : active(pool)).isZero();
    }
    assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
  }

  private static int active(HikariDataSource pool) {
    return pool.getHikariPoolMXBean().getActiveConnections();
  }

  static TransactionTemplate template(String manager) {
    return new TransactionTemplate(application.getBean(manager, PlatformTransactionManager.class));
  }

  static TransactionTemplate template() {
    return template("ordersTransactions");
  }

  void place(int id) {
    Orders.insert(jdbc, id);
    outbox.enqueue(Orders.placed(id));
  }
}
