package dev.postcommit.consumer;

import static dev.postcommit.consumer.Messages.attempt;
import static dev.postcommit.consumer.Messages.id;
import static dev.postcommit.consumer.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.RedisIdempotencyStore;
import dev.postcommit.testkit.redis.RedisServer;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The consumer with marks in Redis. */
class MarkingRedisConsumerIT extends RedisConsumerContract {

  @Override
  Inbox inbox() {
    return Inbox.marking(store);
  }

  @Test
  void aNameThatNoKeyCanHoldIsRefused() {
    EventConsumer.Builder builder =
        EventConsumer.builder("a:b").inbox(inbox()).on(Messages.TYPE, String.class, event -> {});

    assertThatThrownBy(builder::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'a:b'");
  }

  /** Otherwise the later event would wait, and the earlier one be given after it. */
  @Test
  void anEventBehindOneThatWasNotStartedIsHeldWhoeverHasIt() {
    String taken = id();
    store.begin(CONSUMER, taken);
    EventConsumer slow = consumer(event -> Thread.sleep(1_200));

    assertThat(slow.handle(List.of(attempt(id(), "x"), attempt(id(), "a"), attempt(taken, "a"))))
        .containsExactly(Outcome.Done.PROCESSED, Outcome.HELD, Outcome.HELD);
  }

  /** What was done must not be done again because Redis could not be told of it. */
  @Test
  void anEffectThatCouldNotBeConfirmedIsConfirmedLaterAndNotRepeated() {
    try (RedisServer own = RedisServer.start();
        RedisIdempotencyStore ownStore =
            RedisIdempotencyStore.builder(RedisClient.create(own.url()))
                .inProgressTime(Duration.ofMinutes(1))
                .timeout(Duration.ofMillis(500))
                .build()) {
      AtomicBoolean stopped = new AtomicBoolean();
      EventConsumer consumer =
          EventConsumer.builder(CONSUMER)
              .inbox(Inbox.marking(ownStore))
              .on(
                  Messages.TYPE,
                  String.class,
                  event -> {
                    handled.add(event.id());
                    if (stopped.compareAndSet(false, true)) {
                      own.stop();
                    }
                  })
              .build();
      String id = id();

      assertThat(consumer.handle(message(id)))
          .isInstanceOfSatisfying(Outcome.Retry.class, r -> assertThat(r.counts()).isFalse());
      assertThat(consumer.handle(message(id()))).isInstanceOf(Outcome.Retry.class);
      assertThat(handled).as("nothing is handled unguarded").containsExactly(id);
      own.restart();
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> consumer.handle(message(id)) == Outcome.Done.PROCESSED);
      assertThat(consumer.handle(message(id))).isEqualTo(Outcome.Done.DUPLICATE);
      assertThat(handled).containsExactly(id);
    }
  }
}
