package dev.postcommit.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.DomainEvent;
import dev.postcommit.Enqueued;
import dev.postcommit.Event;
import dev.postcommit.InvalidEventException;
import dev.postcommit.NoTransactionException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
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
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** R1, R2, R9: events share the fate of the rows that are written by JDBC through Spring. */
class TransactionsIT {
  private static final String WITHOUT_TRANSACTION = "there is no transaction";

  private static Orders orders;
  private static Orders others;
  private static ConfigurableApplicationContext application;

  /** An application with two data sources and a transaction manager for each. */
  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnablePostcommit
  static class TwoDataSources {
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
        new SpringApplicationBuilder(TwoDataSources.class)
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

  private final SpringOutbox outbox = application.getBean(SpringOutbox.class);
  private final JdbcTemplate jdbc = application.getBean(JdbcTemplate.class);

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

  private static TransactionTemplate template(String manager) {
    return new TransactionTemplate(application.getBean(manager, PlatformTransactionManager.class));
  }

  private static TransactionTemplate template() {
    return template("ordersTransactions");
  }

  private void place(int id) {
    Orders.insert(jdbc, id);
    outbox.enqueue(Orders.placed(id));
  }

  @Test
  void anEventIsCommittedWithItsRows() {
    Enqueued result =
        template()
            .execute(
                status -> {
                  application
                      .getBean(JdbcClient.class)
                      .sql("INSERT INTO orders VALUES (1, 'placed')")
                      .update();
                  Enqueued enqueued = outbox.enqueue(Orders.placed(1));
                  assertThat(orders.events(1)).isZero();
                  return enqueued;
                });

    assertThat(result).isInstanceOf(Enqueued.Written.class);
    assertThat(orders.rows(1)).isEqualTo(1);
    assertThat(orders.events(1)).isEqualTo(1);
  }

  @Test
  void anEventIsRolledBackWithItsRows() {
    template()
        .executeWithoutResult(
            status -> {
              place(2);
              status.setRollbackOnly();
            });

    assertThat(orders.rows(2)).isZero();
    assertThat(orders.events(2)).isZero();
  }

  @Test
  void manyEventsAreWrittenAtOnce() {
    List<Enqueued> results =
        template()
            .execute(
                status ->
                    outbox.enqueueAll(
                        List.of(Orders.placed(3), Orders.placed(3), Orders.placed(3))));

    assertThat(results).hasSize(3).allMatch(Enqueued.Written.class::isInstance);
    assertThat(orders.events(3)).isEqualTo(3);
  }

  @Test
  @DisplayName("R3: a domain event is wrapped in its envelope, whose id is that of the row")
  void aDomainEventIsEmitted() {
    UUID license = UUID.randomUUID();
    Enqueued result =
        template()
            .execute(
                status ->
                    outbox.emit(
                        DomainEvent.builder("license_status_changed")
                            .aggregate("license", license)
                            .data("{\"status\":\"verified\"}")
                            .build()));

    String payload =
        jdbc.queryForObject(
            "SELECT convert_from(payload, 'UTF8') FROM postcommit_outbox WHERE id = ?",
            String.class,
            result.id());
    assertThat(payload)
        .contains("\"eventId\":\"" + result.id() + "\"")
        .contains("\"data\":{\"status\":\"verified\"}");
  }

  @Test
  @DisplayName("R2: without a transaction nothing is written")
  void withoutTransactionNothingIsWritten() {
    assertRefused(4, id -> outbox.enqueue(Orders.placed(id)), WITHOUT_TRANSACTION);
    assertRefused(
        4, id -> outbox.enqueueAll(List.of(Orders.placed(id))), "enqueue in a method that is");
    assertRefused(4, id -> outbox.emit(domainEvent()), WITHOUT_TRANSACTION);
  }

  private static DomainEvent domainEvent() {
    return DomainEvent.builder("a").aggregate("b", UUID.randomUUID()).data("{}").build();
  }

  private void assertRefused(int id, Consumer<Integer> work, String message) {
    assertThatThrownBy(() -> work.accept(id))
        .isInstanceOf(NoTransactionException.class)
        .hasMessageContaining(message);
    assertThat(orders.events(id)).isZero();
  }

  @Test
  void aTransactionOfAnotherDataSourceIsNoTransaction() {
    template("othersTransactions")
        .executeWithoutResult(
            status ->
                assertRefused(
                    5,
                    id -> outbox.enqueue(Orders.placed(id)),
                    "not one of the outbox's data source"));
  }

  /** A connection that is used beside the other transaction commits each statement by itself. */
  @Test
  void aConnectionBesideATransactionOfAnotherDataSourceIsNoTransaction() {
    template("othersTransactions")
        .executeWithoutResult(
            status -> {
              Orders.insert(jdbc, 6);
              assertRefused(
                  6, id -> outbox.enqueue(Orders.placed(id)), "set postcommit.data-source");
            });
    assertThat(orders.rows(6)).isEqualTo(1);
  }

  @Test
  void aReadOnlyTransactionIsRefused() {
    TransactionTemplate readOnly = template();
    readOnly.setReadOnly(true);
    readOnly.executeWithoutResult(
        status -> assertRefused(7, id -> outbox.enqueue(Orders.placed(id)), "is read-only"));
  }

  @Test
  void aNewTransactionHasAFateOfItsOwn() {
    TransactionTemplate inner = template();
    inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    template()
        .executeWithoutResult(
            status -> {
              place(8);
              inner.executeWithoutResult(own -> place(9));
              status.setRollbackOnly();
            });

    assertThat(orders.events(8)).isZero();
    assertThat(orders.events(9)).isEqualTo(1);
    assertThat(orders.rows(9)).isEqualTo(1);
  }

  @Test
  void whatIsWrittenAfterASavepointIsRolledBackToIt() {
    TransactionTemplate nested = template();
    nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
    template()
        .executeWithoutResult(
            status -> {
              place(10);
              nested.executeWithoutResult(
                  savepoint -> {
                    place(11);
                    savepoint.setRollbackOnly();
                  });
            });

    assertThat(orders.events(10)).isEqualTo(1);
    assertThat(orders.events(11)).isZero();
    assertThat(orders.rows(11)).isZero();
  }

  /** Though the connection is still there, nothing would commit the event. */
  @Test
  void afterTheCommitItIsTooLate() {
    AtomicReference<Throwable> afterCommit = new AtomicReference<>();
    AtomicReference<Throwable> afterCompletion = new AtomicReference<>();
    template()
        .executeWithoutResult(
            status ->
                TransactionSynchronizationManager.registerSynchronization(
                    new TransactionSynchronization() {
                      @Override
                      public void afterCommit() {
                        afterCommit.set(failure(() -> outbox.enqueue(Orders.placed(12))));
                      }

                      @Override
                      public void afterCompletion(int status) {
                        afterCompletion.set(failure(() -> outbox.enqueue(Orders.placed(12))));
                      }
                    }));

    assertThat(afterCommit.get())
        .isInstanceOf(NoTransactionException.class)
        .hasMessageContaining("the transaction is over");
    assertThat(afterCompletion.get())
        .isInstanceOf(NoTransactionException.class)
        .hasMessageContaining("REQUIRES_NEW");
    assertThat(orders.events(12)).isZero();
  }

  private static Throwable failure(Runnable work) {
    try {
      work.run();
      return null;
    } catch (RuntimeException e) {
      return e;
    }
  }

  @Test
  void afterTheCommitATransactionOfItsOwnWillDo() {
    TransactionTemplate own = template();
    own.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
    template()
        .executeWithoutResult(
            status ->
                TransactionSynchronizationManager.registerSynchronization(
                    new TransactionSynchronization() {
                      @Override
                      public void afterCommit() {
                        own.executeWithoutResult(s -> outbox.enqueue(Orders.placed(13)));
                      }
                    }));

    assertThat(orders.events(13)).isEqualTo(1);
  }

  @Test
  void beforeTheCommitItIsNotTooLate() {
    template()
        .executeWithoutResult(
            status ->
                TransactionSynchronizationManager.registerSynchronization(
                    new TransactionSynchronization() {
                      @Override
                      public void beforeCommit(boolean readOnly) {
                        outbox.enqueue(Orders.placed(14));
                      }
                    }));

    assertThat(orders.events(14)).isEqualTo(1);
  }

  @Test
  void whatTheTableCannotHoldIsRefusedAndTheTransactionGoesOn() {
    byte[] tooMuch = new byte[2 * 1024 * 1024];
    template()
        .executeWithoutResult(
            status -> {
              place(15);
              assertThatThrownBy(() -> outbox.enqueue(Event.builder("big").bytes(tooMuch).build()))
                  .isInstanceOf(InvalidEventException.class);
            });

    assertThat(orders.events(15)).isEqualTo(1);
  }

  @Test
  void nullIsRefusedByName() {
    template()
        .executeWithoutResult(
            status -> {
              assertThatThrownBy(() -> outbox.enqueue(null)).hasMessageContaining("event");
              assertThatThrownBy(() -> outbox.emit(null)).hasMessageContaining("event");
            });
  }
}
