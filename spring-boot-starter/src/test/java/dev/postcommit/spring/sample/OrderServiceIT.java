package dev.postcommit.spring.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.Event;
import dev.postcommit.NoTransactionException;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Publisher;
import dev.postcommit.spring.SpringOutbox;
import dev.postcommit.spring.sample.OrdersApplication.OrderService;
import dev.postcommit.spring.test.AutoConfigureRecordingOutbox;
import dev.postcommit.spring.test.RecordingOutbox;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** How a service that writes events is tested, in each kind of test that Spring Boot has. */
class OrderServiceIT {
  private static final String BODY = "{\"total\": 100}";
  private static PostgresDatabase database;

  @BeforeAll
  static void createDatabase() {
    database = PostgresServer.shared().createDatabase();
    new JdbcTemplate(database.dataSource())
        .execute("CREATE TABLE orders (id text PRIMARY KEY, content jsonb)");
  }

  @AfterAll
  static void dropDatabase() {
    database.close();
  }

  @DynamicPropertySource
  static void properties(DynamicPropertyRegistry registry) {
    registry.add("spring.datasource.url", () -> database.jdbcUrl());
    registry.add("spring.datasource.username", () -> database.username());
    // These would bring a relay and a migration, were it not for the recording outbox.
    registry.add("spring.kafka.bootstrap-servers", () -> "localhost:1");
    registry.add("postcommit.migrate", () -> "true");
    registry.add("spring.flyway.enabled", () -> "false");
    registry.add("spring.test.database.replace", () -> "none");
  }

  /** What each of the tests can rely on. */
  abstract static class Service {
    @Autowired ApplicationContext application;
    @Autowired OrderService orders;
    @Autowired RecordingOutbox outbox;
    @Autowired PlatformTransactionManager manager;

    @Test
    void placingAnOrderWritesAnEvent() {
      orders.place("42", BODY);

      assertThat(outbox).wrote("order.placed").withKey("42").withJson("{\"total\":100}");
      assertThat(outbox).wroteOnly("order.placed");
    }

    @Test
    void thereIsNoOtherOutboxNoRelayAndNoBroker() {
      assertThat(application.getBeanNamesForType(SpringOutbox.class)).hasSize(1);
      assertThat(application.getBeanNamesForType(Publisher.class)).isEmpty();
      assertThat(List.of(application.getBeanDefinitionNames()))
          .doesNotContain("postcommitRelay", "postcommitTableInitializer");
    }

    @Test
    void aSavepointTakesItsEventsAlong() {
      TransactionTemplate nested = new TransactionTemplate(manager);
      nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
      new TransactionTemplate(manager)
          .executeWithoutResult(
              status -> {
                orders.place("43", BODY);
                nested.executeWithoutResult(
                    savepoint -> {
                      orders.place("44", BODY);
                      savepoint.setRollbackOnly();
                    });
                status.setRollbackOnly();
                assertThat(outbox).wroteOnly("order.placed").wrote("order.placed").withKey("43");
              });
    }
  }

  @Nested
  @SpringBootTest(
      webEnvironment = WebEnvironment.NONE,
      classes = OrdersApplication.class,
      properties = "spring.config.location=classpath:orders.properties")
  @AutoConfigureRecordingOutbox
  @TestPropertySource(properties = "postcommit.table=orders_outbox")
  class InTheWholeApplication {
    @Autowired OrderService orders;
    @Autowired RecordingOutbox outbox;
    @Autowired Layout layout;

    @Test
    void settingsOfTheTestAreInForce() {
      assertThat(layout.table().name()).isEqualTo("orders_outbox");
    }

    @Test
    void eachTestBeginsWithAnEmptyOutbox() {
      orders.place("1", BODY);
      assertThat(outbox).wroteOnly("order.placed");
    }

    @Test
    void whateverWasCommittedBefore() {
      orders.place("2", BODY);
      assertThat(outbox).wroteOnly("order.placed");
      assertThatThrownBy(() -> orders.place("2", BODY)).hasMessageContaining("orders_pkey");
      assertThat(outbox).wroteOnly("order.placed");
    }

    @Test
    void withoutTransactionItRefuses() {
      assertThatThrownBy(() -> outbox.enqueue(Event.builder("a").json("1").build()))
          .isInstanceOf(NoTransactionException.class);
    }
  }

  /** As docs/spring/tests.md has it. */
  @Nested
  @JdbcTest
  @AutoConfigureRecordingOutbox
  @Import(OrderService.class)
  class OrderServiceTest {
    @Autowired OrderService orders;
    @Autowired RecordingOutbox outbox;

    @Test
    void placingAnOrderWritesAnEvent() {
      orders.place("42", "{\"total\": 100}");

      assertThat(outbox).wrote("order.placed").withKey("42").withJson("{\"total\": 100}");
    }
  }

  @Nested
  @JdbcTest
  @AutoConfigureRecordingOutbox
  @Import(OrderService.class)
  class InASliceOfJdbc extends Service {}

  @Nested
  @DataJpaTest
  @AutoConfigureRecordingOutbox
  @Import(OrderService.class)
  class InASliceOfJpa {
    @Autowired OrderService orders;
    @Autowired RecordingOutbox outbox;

    @Test
    void placingAnOrderWritesAnEvent() {
      orders.place("42", BODY);

      assertThat(outbox).wroteOnly("order.placed").wrote("order.placed").withKey("42");
    }

    @Test
    void eachTestBeginsWithAnEmptyOutbox() {
      assertThat(outbox).wroteNothing();
    }
  }
}
