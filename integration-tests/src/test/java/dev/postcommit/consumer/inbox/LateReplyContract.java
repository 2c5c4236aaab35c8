package dev.postcommit.consumer.inbox;

import static dev.postcommit.consumer.Messages.id;
import static dev.postcommit.consumer.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.Messages;
import dev.postcommit.consumer.Outcome;
import dev.postcommit.consumer.inbox.Begin.Proceed;
import dev.postcommit.testkit.fault.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Whoever repeats a call that was carried out and not answered is not taken for somebody else. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LateReplyContract {
  static final String CONSUMER = "inventory";
  private static final Duration HOUR = Duration.ofHours(1);

  TcpProxy proxy;
  IdempotencyStore store;
  private IdempotencyStore other;

  /** A store behind {@code port} that does not wait for long. */
  abstract IdempotencyStore open(int port);

  /** The port of the server. */
  abstract int server();

  @BeforeEach
  void connect() {
    proxy = TcpProxy.to(server());
    store = open(proxy.port());
    other = open(server());
    answer(() -> checkAndMark(store, id()));
    answer(() -> checkAndMark(other, id()));
  }

  @AfterEach
  void disconnect() {
    store.close();
    other.close();
    proxy.close();
  }

  /** The store is not told what becomes of a call that sends this text. */
  void loseReplyTo(String text, Runnable call) {
    proxy.loseRepliesTo(text);
    try {
      assertThatThrownBy(call::run).isInstanceOf(StoreUnavailableException.class);
    } finally {
      proxy.heal();
    }
  }

  static boolean checkAndMark(IdempotencyStore store, String id) {
    return store.checkAndMarkProcessed(CONSUMER, id, HOUR);
  }

  @Test
  @DisplayName("R41: a mark whose answer was lost is not taken for another's when it is repeated")
  void aMarkWhoseAnswerWasLostIsKnownAgain() {
    String id = id();
    loseReplyTo(id, () -> checkAndMark(store, id));
    assertIsTheStoresToHandle(store, id);
    assertThat(checkAndMark(other, id)).isTrue();
  }

  /** The first answer of calls that are repeated until there is one: connecting takes time. */
  private static <T> T answer(Callable<T> call) {
    List<T> answers = new ArrayList<>();
    await()
        .atMost(Duration.ofSeconds(20))
        .pollDelay(Duration.ZERO)
        .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
        .until(() -> answers.add(call.call()));
    return answers.get(0);
  }

  /** What becomes of a message in the end. */
  private static Outcome done(EventConsumer consumer, String id) {
    return answer(
        () -> {
          Outcome outcome = consumer.handle(message(id));
          if (outcome instanceof Outcome.Retry retry) {
            throw new StoreUnavailableException(retry.reason(), null);
          }
          return outcome;
        });
  }

  /** Once, and not again. */
  static void assertIsTheStoresToHandle(IdempotencyStore store, String id) {
    assertThat(answer(() -> checkAndMark(store, id))).as("it was marked before").isFalse();
    assertThat(checkAndMark(store, id)).as("it was marked before").isTrue();
  }

  @Test
  @DisplayName("R41: a mark that another has set while an answer was lost is another's")
  void aMarkOfAnotherIsAnothers() {
    String id = id();
    assertThat(checkAndMark(other, id)).isFalse();
    loseReplyTo(id, () -> checkAndMark(store, id));

    assertThat(answer(() -> checkAndMark(store, id))).isTrue();
  }

  @Test
  @DisplayName("R42: an event has its effect though the answer to its only mark was lost")
  void anEffectIsNotLostWithAnAnswer() {
    List<String> handled = new CopyOnWriteArrayList<>();
    EventConsumer consumer =
        EventConsumer.builder(CONSUMER)
            .inbox(Inbox.markingFirst(store, HOUR))
            .on(Messages.TYPE, String.class, event -> handled.add(event.id()))
            .build();
    String id = id();
    proxy.loseRepliesTo(id);
    assertThat(consumer.handle(message(id)))
        .isInstanceOfSatisfying(Outcome.Retry.class, r -> assertThat(r.counts()).isFalse());
    proxy.heal();

    assertThat(done(consumer, id)).isEqualTo(Outcome.Done.PROCESSED);
    assertThat(consumer.handle(message(id))).isEqualTo(Outcome.Done.DUPLICATE);
    assertThat(handled).containsExactly(id);
  }

  @Test
  @DisplayName("R42: events whose begin was not answered are not in progress for nobody")
  void aBeginWhoseAnswerWasLostIsKnownAgain() {
    String id = id();
    loseReplyTo(id, () -> store.begin(CONSUMER, id));

    String unknown = id();
    List<Begin> begun = answer(() -> store.begin(CONSUMER, List.of(unknown, id)));
    assertThat(begun).allMatch(Proceed.class::isInstance);
    assertThat(store.begin(CONSUMER, id)).isEqualTo(Begin.IN_PROGRESS);
    assertThat(other.begin(CONSUMER, id)).isEqualTo(Begin.IN_PROGRESS);
    Mark mark = ((Proceed) begun.get(1)).mark();
    assertThat(store.complete(mark).toCompletableFuture().join()).isTrue();
    assertThat(other.begin(CONSUMER, id)).isEqualTo(Begin.DUPLICATE);
  }

  @Test
  @DisplayName("R42: an event whose completion was not answered is confirmed, not handled again")
  void aCompletionWhoseAnswerWasLostIsConfirmed() {
    List<String> handled = new CopyOnWriteArrayList<>();
    String id = id();
    EventConsumer consumer =
        EventConsumer.builder(CONSUMER)
            .inbox(Inbox.marking(store))
            .on(
                Messages.TYPE,
                String.class,
                event -> {
                  handled.add(event.id());
                  proxy.loseRepliesTo(id);
                })
            .build();
    assertThat(consumer.handle(message(id))).isInstanceOf(Outcome.Retry.class);
    proxy.heal();

    assertThat(done(consumer, id)).isEqualTo(Outcome.Done.PROCESSED);
    assertThat(other.begin(CONSUMER, id)).isEqualTo(Begin.DUPLICATE);
    assertThat(handled).containsExactly(id);
  }
}
