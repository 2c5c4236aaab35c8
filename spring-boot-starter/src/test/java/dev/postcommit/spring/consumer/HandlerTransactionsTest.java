package dev.postcommit.spring.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.spring.Contexts;
import dev.postcommit.spring.settings.SetupException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.TransactionManagementConfigurer;
import org.springframework.transaction.annotation.Transactional;

/** Event handlers must work in the transaction that remembers the event. */
class HandlerTransactionsTest {
  private final ApplicationContextRunner application =
      Contexts.withoutDatabase()
          .withUserConfiguration(TwoManagers.class)
          .withPropertyValues(
              "spring.application.name=stock",
              "spring.kafka.bootstrap-servers=localhost:1",
              "postcommit.relay.enabled=false",
              "postcommit.consumer.topics=orders");

  /** Transactions of the inbox's data source, and others. */
  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement(proxyTargetClass = true)
  static class TwoManagers {
    @Bean
    JdbcTransactionManager stockTx(DataSource dataSource) {
      return new JdbcTransactionManager(dataSource);
    }

    @Bean
    JdbcTransactionManager billingTx() {
      return new JdbcTransactionManager(Contexts.nowhere());
    }
  }

  static class Plain {
    @EventHandler("order.placed")
    void place(String order) {}
  }

  static class InStock {
    @Transactional("stockTx")
    @EventHandler("order.placed")
    void place(String order) {}
  }

  static class InBilling {
    @Transactional("${billing.manager:billingTx}")
    @EventHandler("order.placed")
    void place(String order) {}
  }

  @Transactional
  static class InDefault {
    @EventHandler("order.placed")
    void place(String order) {}
  }

  static class InNone {
    @Transactional("stokTx")
    @EventHandler("order.placed")
    void place(String order) {}
  }

  static class Jakarta {
    @jakarta.transaction.Transactional(jakarta.transaction.Transactional.TxType.REQUIRES_NEW)
    @EventHandler("order.placed")
    void place(String order) {}
  }

  private void refused(ApplicationContextRunner refused, String... texts) {
    refused.run(
        context ->
            assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                .isInstanceOf(SetupException.class)
                .hasMessageContainingAll(texts));
  }

  @Test
  void theManagerOfTheInboxNeedNotBePrimary() {
    application.withBean(Plain.class).run(context -> assertThat(context).hasNotFailed());
    application.withBean(InStock.class).run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void aTransactionOfAnotherManagerIsRefused() {
    refused(application.withBean(InBilling.class), "InBilling.place", "of another manager");
  }

  @Test
  void aTransactionOfTheDefaultManagerIsRefusedIfThatIsAnother() {
    refused(application.withBean(InDefault.class), "InDefault.place", "stockTx", "billingTx");
    refused(
        application
            .withBean(
                "usualTx",
                JdbcTransactionManager.class,
                () -> new JdbcTransactionManager(Contexts.nowhere()),
                bean -> bean.setPrimary(true))
            .withBean(InDefault.class),
        "InDefault.place",
        "of another manager");
    application
        .withBean(Configurer.class)
        .withBean(InDefault.class)
        .run(context -> assertThat(context).hasNotFailed());
  }

  /** Names the manager of methods that name none. */
  record Configurer(JdbcTransactionManager stockTx) implements TransactionManagementConfigurer {
    @Override
    public TransactionManager annotationDrivenTransactionManager() {
      return stockTx;
    }
  }

  @Test
  void aTransactionOfAnUnknownManagerIsRefused() {
    refused(application.withBean(InNone.class), "InNone.place", "stokTx");
  }

  @Test
  void jakartasAnnotationCountsToo() {
    refused(application.withBean(Jakarta.class), "has the propagation REQUIRES_NEW");
  }
}
