package dev.postcommit.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.AggregateId;
import dev.postcommit.DomainEvent;
import dev.postcommit.Enqueued;
import dev.postcommit.EventType;
import dev.postcommit.NoTransactionException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** R1, R2, R9: events share the fate of the rows that are written by JDBC through Spring. */
class TransactionsIT extends TwoDataSources {
  private static final String WITHOUT_TRANSACTION = "there is no transaction";

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

  @EventType("order.placed")
  record Published(@AggregateId int id) {}

  @Test
  void aPublishedEventNeedsATransactionOfTheSameDataSource() {
    Consumer<Integer> publish = id -> application.publishEvent(new Published(id));
    template("othersTransactions")
        .executeWithoutResult(
            status -> assertRefused(17, publish, "not one of the outbox's data source"));

    template().executeWithoutResult(status -> publish.accept(18));
    assertThat(orders.events(18)).isEqualTo(1);
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

  /** It looks like one in a transaction, and the pool would roll it back. */
  @Test
  void aConnectionBesideATransactionIsNoTransactionAlsoWithAutoCommitOff() {
    Contexts.onDatabase(orders.database().jdbcUrl(), orders.database().username())
        .withPropertyValues(
            "spring.datasource.hikari.auto-commit=false", "postcommit.relay.enabled=false")
        .withBean(
            PlatformTransactionManager.class,
            () -> new JdbcTransactionManager(others.database().dataSource()))
        .run(
            context ->
                new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(
                        status -> {
                          Orders.insert(context.getBean(JdbcTemplate.class), 19);
                          SpringOutbox own = context.getBean(SpringOutbox.class);
                          assertRefused(
                              19,
                              id -> own.enqueue(Orders.placed(id)),
                              "set postcommit.data-source");
                        }));
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
}
