package dev.postcommit.consumer;

import static dev.postcommit.consumer.Messages.id;
import static dev.postcommit.consumer.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.SpringTransactions;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** R43 where Spring manages the transactions: handlers join them without being given a thing. */
class SpringConsumerIT extends TransactionalFixture {
  private PlatformTransactionManager manager;
  private JdbcTemplate jdbc;

  @BeforeEach
  void createManager() {
    manager = new DataSourceTransactionManager(database.dataSource());
    jdbc = new JdbcTemplate(database.dataSource());
  }

  @Override
  Inbox transactional() {
    return Inbox.transactional(store(), new SpringTransactions(manager, database.dataSource()));
  }

  private EventConsumer consumer(EventHandler<String> handler) {
    return consumer().on(Messages.TYPE, String.class, handler).build();
  }

  private void effect(String id) {
    jdbc.update("INSERT INTO effect (event_id) VALUES (?)", id);
  }

  @Test
  void whatHandlersDoThroughSpringIsPartOfTheTransaction() throws SQLException {
    List<String> ids = Stream.generate(Messages::id).limit(20).toList();
    String failing = ids.get(10);
    EventConsumer consumer =
        consumer(
            event -> {
              effect(event.id());
              if (event.id().equals(failing)) {
                throw new IOException("not now");
              }
            });

    List<Outcome> outcomes = consumer.handle(ids.stream().map(Messages::attempt).toList());

    assertThat(outcomes.get(10))
        .isInstanceOfSatisfying(
            Outcome.Retry.class, r -> assertThat(r.reason()).isEqualTo("not now"));
    assertThat(outcomes).filteredOn(o -> o == Outcome.Done.PROCESSED).hasSize(19);
    assertThat(effects()).doesNotContain(failing).doesNotHaveDuplicates().hasSize(19);
    assertThat(processed()).containsExactlyInAnyOrderElementsOf(effects());
  }

  @Test
  void theConnectionThatHandlersAreGivenIsTheSameTransaction() throws SQLException {
    EventConsumer consumer =
        consumer()
            .on(
                Messages.TYPE,
                String.class,
                (tx, event) -> {
                  effect(tx, event);
                  effect(event.id());
                  assertThat(jdbc.queryForObject("SELECT count(*) FROM effect", Integer.class))
                      .isEqualTo(2);
                })
            .build();
    String id = id();

    assertThat(consumer.handle(message(id))).isEqualTo(Outcome.Done.PROCESSED);
    assertThat(texts("SELECT count(DISTINCT xmin::text) FROM effect")).containsExactly("1");
  }

  @Test
  void aTransactionThatIsMarkedForRollbackIsAFailedAttempt() throws SQLException {
    EventConsumer consumer =
        consumer(
            event -> {
              effect(event.id());
              new TransactionTemplate(manager)
                  .executeWithoutResult(status -> status.setRollbackOnly());
            });

    assertThat(consumer.handle(message(id())))
        .isInstanceOfSatisfying(Outcome.Retry.class, r -> assertThat(r.counts()).isTrue());
    assertThat(effects()).isEmpty();
    assertThat(processed()).isEmpty();
  }

  /** Otherwise marks would be committed without the effects. */
  @Test
  void aManagerOfAnotherDatabaseIsRefused() throws SQLException {
    try (PostgresDatabase other = PostgresServer.shared().createDatabase()) {
      EventConsumer consumer =
          EventConsumer.builder(ConsumerContract.CONSUMER)
              .inbox(
                  Inbox.transactional(store(), new SpringTransactions(manager, other.dataSource())))
              .on(Messages.TYPE, String.class, event -> effect(event.id()))
              .build();

      assertThat(consumer.handle(message(id())))
          .isInstanceOfSatisfying(
              Outcome.Retry.class, r -> assertThat(r.reason()).contains("the same data source"));
      assertThat(effects()).isEmpty();
    }
  }

  /** Its connection looks like one in a transaction, and nothing would commit the marks. */
  @Test
  void aManagerOfAnotherDatabaseIsRefusedAlsoWhenThePoolHasAutoCommitOff() throws SQLException {
    try (PostgresDatabase other = PostgresServer.shared().createDatabase();
        HikariDataSource pool = new HikariDataSource()) {
      pool.setDataSource(database.dataSource());
      pool.setAutoCommit(false);
      manager = new DataSourceTransactionManager(other.dataSource());
      JdbcTemplate onPool = new JdbcTemplate(pool);
      EventConsumer consumer =
          EventConsumer.builder(ConsumerContract.CONSUMER)
              .inbox(Inbox.transactional(store(), new SpringTransactions(manager, pool)))
              .on(
                  Messages.TYPE,
                  String.class,
                  event -> onPool.update("INSERT INTO effect (event_id) VALUES (?)", event.id()))
              .build();

      assertThat(consumer.handle(message(id())))
          .isInstanceOfSatisfying(
              Outcome.Retry.class, r -> assertThat(r.reason()).contains("the same data source"));
      assertThat(effects()).isEmpty();
      assertThat(processed()).isEmpty();
    }
  }

  @Test
  void aTransactionAwareProxyStandsForItsTarget() throws SQLException {
    DataSource proxy = new TransactionAwareDataSourceProxy(database.dataSource());
    EventConsumer consumer =
        EventConsumer.builder(ConsumerContract.CONSUMER)
            .inbox(Inbox.transactional(store(), new SpringTransactions(manager, proxy)))
            .on(Messages.TYPE, String.class, event -> effect(event.id()))
            .build();

    assertThat(consumer.handle(message(id()))).isEqualTo(Outcome.Done.PROCESSED);
    assertThat(processed()).containsExactlyElementsOf(effects());
  }
}
