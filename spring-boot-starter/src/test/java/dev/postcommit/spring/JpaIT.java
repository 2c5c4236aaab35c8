package dev.postcommit.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.NoTransactionException;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.Outcome;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.JdbcIdempotencyStore;
import dev.postcommit.consumer.inbox.SpringTransactions;
import dev.postcommit.consumer.message.ReceivedMessage;
import dev.postcommit.flyway.InboxMigration;
import dev.postcommit.layout.TableName;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** R9: events share the fate of the rows that an entity manager writes. */
class JpaIT {
  private static Orders orders;
  private static ConfigurableApplicationContext application;

  /** An order, as the application knows it. */
  @Entity
  @Table(name = "orders")
  static class Order {
    @Id int id;
    String status;

    /** For Hibernate. */
    Order() {}

    Order(int id, String status) {
      this.id = id;
      this.status = status;
    }
  }

  /** An application with JPA. */
  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnablePostcommit
  @ImportAutoConfiguration(HibernateJpaAutoConfiguration.class)
  @EntityScan(basePackageClasses = Order.class)
  static class WithJpa {
    @Bean
    EntityManager entityManager(EntityManagerFactory factory) {
      return SharedEntityManagerCreator.createSharedEntityManager(factory);
    }
  }

  @BeforeAll
  static void start() {
    orders = new Orders();
    application =
        new SpringApplicationBuilder(WithJpa.class)
            .web(WebApplicationType.NONE)
            .properties(
                "spring.datasource.url=" + orders.database().jdbcUrl(),
                "spring.datasource.username=" + orders.database().username(),
                "spring.jpa.open-in-view=false")
            .run();
  }

  @AfterAll
  static void stop() {
    application.close();
    orders.close();
  }

  private final SpringOutbox outbox = application.getBean(SpringOutbox.class);
  private final EntityManager entities = application.getBean("entityManager", EntityManager.class);
  private final PlatformTransactionManager manager =
      application.getBean(PlatformTransactionManager.class);
  private final TransactionTemplate template = new TransactionTemplate(manager);

  private void place(int id) {
    entities.persist(new Order(id, "placed"));
    outbox.enqueue(Orders.placed(id));
  }

  @Test
  void anEventIsCommittedWithEntities() {
    assertThat(manager).isInstanceOf(JpaTransactionManager.class);

    template.executeWithoutResult(status -> place(1));

    assertThat(orders.rows(1)).isEqualTo(1);
    assertThat(orders.events(1)).isEqualTo(1);
  }

  @Test
  void anEventIsRolledBackWithEntities() {
    template.executeWithoutResult(
        status -> {
          place(2);
          entities.flush();
          status.setRollbackOnly();
        });

    assertThat(orders.rows(2)).isZero();
    assertThat(orders.events(2)).isZero();
  }

  @Test
  void anEntityThatCannotBeWrittenTakesTheEventWithIt() {
    template.executeWithoutResult(status -> place(3));

    assertThatThrownBy(() -> template.executeWithoutResult(status -> place(3)))
        .hasMessageContaining("orders_pkey");
    assertThat(orders.events(3)).isEqualTo(1);
  }

  @Test
  void withoutTransactionNothingIsWritten() {
    assertThatThrownBy(() -> outbox.enqueue(Orders.placed(4)))
        .isInstanceOf(NoTransactionException.class);
    assertThat(orders.events(4)).isZero();
  }

  @Test
  void aReadOnlyTransactionIsRefused() {
    TransactionTemplate readOnly = new TransactionTemplate(manager);
    readOnly.setReadOnly(true);
    assertThatThrownBy(
            () -> readOnly.executeWithoutResult(status -> outbox.enqueue(Orders.placed(5))))
        .isInstanceOf(NoTransactionException.class)
        .hasMessageContaining("read-only");
  }

  @Test
  void aNewTransactionHasAFateOfItsOwn() {
    TransactionTemplate inner = new TransactionTemplate(manager);
    inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    template.executeWithoutResult(
        status -> {
          place(6);
          inner.executeWithoutResult(own -> place(7));
          status.setRollbackOnly();
        });

    assertThat(orders.events(6)).isZero();
    assertThat(orders.events(7)).isEqualTo(1);
  }

  @Test
  void afterTheCommitItIsTooLate() {
    assertThatThrownBy(
            () ->
                template.executeWithoutResult(
                    status ->
                        TransactionSynchronizationManager.registerSynchronization(
                            new TransactionSynchronization() {
                              @Override
                              public void afterCommit() {
                                outbox.enqueue(Orders.placed(8));
                              }
                            })))
        .isInstanceOf(NoTransactionException.class)
        .hasMessageContaining("the transaction is over");
    assertThat(orders.events(8)).isZero();
  }

  @Test
  @DisplayName("R43: what a consumer's handler writes by JPA is committed with the mark")
  void aConsumerJoinsTransactionsOfJpa() {
    DataSource dataSource = application.getBean(DataSource.class);
    InboxMigration.migrate(dataSource, TableName.of("processed_events"));
    JdbcIdempotencyStore store = JdbcIdempotencyStore.builder(dataSource, "stock").build();
    EventConsumer consumer =
        EventConsumer.builder("stock")
            .inbox(Inbox.transactional(store, new SpringTransactions(manager, dataSource)))
            .on(
                "order.placed",
                String.class,
                event -> {
                  entities.persist(new Order(Integer.parseInt(event.key()), "reserved"));
                  outbox.enqueue(Orders.placed(Integer.parseInt(event.key())));
                  if (event.key().equals("21")) {
                    throw new IOException("not now");
                  }
                })
            .build();

    ReceivedMessage first = message("20");
    assertThat(consumer.handle(first)).isEqualTo(Outcome.Done.PROCESSED);
    assertThat(consumer.handle(first)).isEqualTo(Outcome.Done.DUPLICATE);
    assertThat(consumer.handle(message("21"))).isInstanceOf(Outcome.Retry.class);

    assertThat(orders.rows(20)).isEqualTo(1);
    assertThat(orders.events(20)).isEqualTo(1);
    assertThat(orders.rows(21)).isZero();
    assertThat(orders.events(21)).isZero();
  }

  private static ReceivedMessage message(String key) {
    return new ReceivedMessage(
        "order.placed",
        key,
        Map.of("event_id", UUID.randomUUID().toString(), "event_type", "order.placed"),
        "\"text\"".getBytes(StandardCharsets.UTF_8));
  }
}
