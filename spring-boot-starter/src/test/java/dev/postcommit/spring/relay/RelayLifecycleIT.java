package dev.postcommit.spring.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.Event;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.spring.Contexts;
import dev.postcommit.spring.SpringOutbox;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Status;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The relay when its application starts and ends. */
class RelayLifecycleIT extends RelayFixture {

  /** As Spring does with the applications of tests, and others with snapshots of processes. */
  @Test
  void anApplicationCanBeStoppedAndStartedAgain() {
    application()
        .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
        .run(
            context -> {
              place(context, 8);
              awaitSent(1);

              context.getSourceApplicationContext().stop();
              assertThat(context.getBean(RelayLifecycle.class).state())
                  .isEqualTo(Relay.State.STOPPED);
              assertThat(health(context).getStatus()).isEqualTo(Status.DOWN);
              place(context, 9);

              context.getSourceApplicationContext().start();
              awaitSent(2);
              assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            });
  }

  /** The data source is still there when the relay settles what is in flight. */
  @Test
  void whatIsInFlightWhenTheApplicationEndsIsSettled() {
    CompletableFuture<Delivery> inFlight = new CompletableFuture<>();
    List<Message> taken = new CopyOnWriteArrayList<>();
    Publisher slow =
        new Publisher() {
          @Override
          public CompletionStage<Delivery> send(Message message) {
            taken.add(message);
            return inFlight;
          }

          @Override
          public Optional<String> problem() {
            return Optional.empty();
          }

          @Override
          public Duration deliveryTimeout() {
            return Duration.ofSeconds(20);
          }
        };
    Contexts.onDatabase(orders.database().jdbcUrl(), orders.database().username())
        .withBean(Publisher.class, () -> slow)
        .run(
            context -> {
              place(context, 10);
              await().atMost(Duration.ofSeconds(20)).until(() -> !taken.isEmpty());
              RelayLifecycle relay = context.getBean(RelayLifecycle.class);
              CompletableFuture<Void> ended =
                  CompletableFuture.runAsync(context.getSourceApplicationContext()::close);
              await()
                  .atMost(Duration.ofSeconds(20))
                  .until(() -> relay.state() == Relay.State.STOPPED);
              assertThat(ended).isNotDone();
              inFlight.complete(Delivery.DELIVERED);
              ended.join();
            });

    DataSource dataSource = orders.database().dataSource();
    assertThat(
            new JdbcTemplate(dataSource)
                .queryForObject(
                    "SELECT status FROM postcommit_outbox WHERE aggregate_id = '10'", String.class))
        .isEqualTo("delivered");
  }

  @Test
  void eventsThatWereThereBeforeAreDelivered() {
    Contexts.onDatabase(orders.database().jdbcUrl(), orders.database().username())
        .run(
            context ->
                new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                    .executeWithoutResult(
                        status ->
                            context
                                .getBean(SpringOutbox.class)
                                .enqueueAll(
                                    List.of(
                                        Event.builder("a").key("11").json("1").build(),
                                        Event.builder("b").key("11").json("2").build()))));
    application()
        .run(
            context -> {
              awaitSent(2);
              assertThat(sent).extracting(Message::topic).containsExactly("a", "b");
            });
  }
}
