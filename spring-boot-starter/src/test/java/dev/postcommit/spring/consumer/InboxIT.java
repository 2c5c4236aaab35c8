package dev.postcommit.spring.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.spring.Orders;
import dev.postcommit.spring.settings.SetupException;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;

/** The inbox of event handlers: its table, and the transactions that it shares. */
class InboxIT extends ConsumerFixture {

  /** Counts nothing and writes nothing. */
  static class Idle {
    @EventHandler("order.placed")
    void on(String order) {}
  }

  private void refused(ApplicationContextRunner application, String... texts) {
    application
        .withBean(Idle.class)
        .run(
            context ->
                assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                    .isInstanceOf(SetupException.class)
                    .hasMessageContaining("the inbox of the event handlers cannot be used")
                    .hasMessageContainingAll(texts));
  }

  @Test
  void aMissingTableKeepsTheApplicationFromStarting() {
    observer.execute("DROP TABLE processed_events");
    refused(
        application(), "table processed_events is missing", "set postcommit.migrate=true and add");
  }

  @Test
  void aTableThatDoesNotFitKeepsTheApplicationFromStarting() {
    observer.execute("ALTER TABLE processed_events DROP CONSTRAINT processed_events_pkey");
    refused(application(), "needs a column event_id that is its primary key");
    observer.execute("ALTER TABLE processed_events DROP COLUMN processed_at");
    refused(application(), "needs a column processed_at");
  }

  @Test
  void aTableOfAnotherConsumerKeepsTheApplicationFromStarting() {
    application().withBean(Idle.class).run(context -> assertThat(context).hasNotFailed());
    refused(
        application().withPropertyValues("postcommit.consumer.group=other"),
        "belongs to consumer 'stock-" + topic + "', so 'other' would lose the events",
        "postcommit.consumer.inbox-table");
  }

  @Test
  void aMissingPrivilegeKeepsTheApplicationFromStarting() {
    observer.execute("CREATE ROLE reader_of_inbox LOGIN");
    observer.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader_of_inbox");
    observer.execute("GRANT INSERT ON processed_events_consumer TO reader_of_inbox");
    try {
      refused(
          application()
              .withPropertyValues(
                  "spring.datasource.username=reader_of_inbox", "postcommit.outbox.enabled=false"),
          "the user lacks the privilege INSERT, DELETE on processed_events");
    } finally {
      observer.execute("DROP OWNED BY reader_of_inbox");
      observer.execute("DROP ROLE reader_of_inbox");
    }
  }

  @Test
  void theTableIsMadeOnRequestAlsoWithoutAnOutbox() {
    observer.execute("DROP TABLE postcommit_outbox CASCADE");
    application()
        .withBean(Idle.class)
        .withPropertyValues(
            "postcommit.migrate=true",
            "postcommit.outbox.enabled=false",
            "postcommit.consumer.inbox-table=stock_inbox")
        .run(
            context -> {
              assertThat(context).hasNotFailed();
              send("order.placed", 1, "{}");
              awaitUntil(() -> count("SELECT count(*) FROM stock_inbox") == 1);
            });
    assertThat(count("SELECT count(*) FROM pg_class WHERE relname = 'postcommit_outbox'")).isZero();
  }

  /** The connections of such a pool look like ones in a transaction. */
  @Test
  void aManagerOfAnotherDatabaseIsRefusedAlsoWithAutoCommitOff() {
    try (Orders other = new Orders()) {
      refused(
          application()
              .withPropertyValues("spring.datasource.hikari.auto-commit=false")
              .withBean(
                  PlatformTransactionManager.class,
                  () -> new JdbcTransactionManager(other.database().dataSource())),
          "the same data source");
    }
  }

  /** A reservation, as JPA knows it. */
  @Entity
  @Table(name = "entity_reservation")
  static class Reservation {
    @Id int id;

    /** For Hibernate. */
    Reservation() {}

    Reservation(int id) {
      this.id = id;
    }
  }

  /** An application with JPA. */
  @Configuration(proxyBeanMethods = false)
  @EntityScan(basePackageClasses = Reservation.class)
  static class WithJpa {
    @Bean
    EntityManager entityManager(EntityManagerFactory factory) {
      return SharedEntityManagerCreator.createSharedEntityManager(factory);
    }
  }

  /** Writes an entity, and fails the first time. */
  static class JpaHandler {
    private final EntityManager entities;
    private final AtomicInteger calls = new AtomicInteger();

    JpaHandler(EntityManager entities) {
      this.entities = entities;
    }

    @EventHandler("order.placed")
    void on(String order, EventContext event) {
      entities.persist(new Reservation(Integer.parseInt(String.valueOf(event.key()))));
      if (calls.incrementAndGet() == 1) {
        entities.flush();
        throw new IllegalStateException("not now");
      }
    }
  }

  @Test
  void whatAHandlerWritesByJpaSharesATransactionWithTheMark() {
    observer.execute("CREATE TABLE entity_reservation (id int PRIMARY KEY)");
    application()
        .withConfiguration(AutoConfigurations.of(HibernateJpaAutoConfiguration.class))
        .withUserConfiguration(WithJpa.class)
        .withBean(JpaHandler.class)
        .run(
            context -> {
              assertThat(context.getBean(PlatformTransactionManager.class))
                  .isInstanceOf(JpaTransactionManager.class);
              send("order.placed", 5, "{}");
              awaitUntil(
                  () ->
                      count(
                              "SELECT count(*) FROM entity_reservation r, processed_events p"
                                  + " WHERE r.xmin = p.xmin")
                          == 1);
              assertThat(context.getBean(JpaHandler.class).calls).hasValue(2);
            });
  }
}
