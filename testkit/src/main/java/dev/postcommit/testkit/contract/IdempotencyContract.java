package dev.postcommit.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postcommit.consumer.inbox.Begin;
import dev.postcommit.consumer.inbox.Begin.Proceed;
import dev.postcommit.consumer.inbox.IdempotencyStore;
import dev.postcommit.consumer.inbox.Mark;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What every {@link IdempotencyStore} does; subclass it for yours. */
public abstract class IdempotencyContract extends IdempotencyFixture {

  /** Creates the contract of one store. */
  protected IdempotencyContract() {}

  /** The way an event goes when all goes well. */
  @Test
  @DisplayName("R42: an event is begun, in progress, completed and then a duplicate")
  public void anEventIsHandledOnce() {
    IdempotencyStore store = store(LONG);
    IdempotencyStore other = store(LONG);
    String id = newId();

    Mark mark = proceed(store, id);
    assertThat(mark.consumer()).isEqualTo("inventory");
    assertThat(mark.eventId()).isEqualTo(id);
    assertThat(begin(store, id)).isEqualTo(Begin.IN_PROGRESS);
    assertThat(begin(other, id)).isEqualTo(Begin.IN_PROGRESS);

    assertThat(complete(store, mark)).isTrue();

    assertThat(begin(store, id)).isEqualTo(Begin.DUPLICATE);
    assertThat(begin(other, id)).isEqualTo(Begin.DUPLICATE);
    assertThat(store.inProgressTime()).isEqualTo(LONG);
  }

  /** A failure lets the next delivery in at once. */
  @Test
  @DisplayName("R42: an abandoned event can be begun again")
  public void anAbandonedEventIsBegunAgain() {
    IdempotencyStore store = store(LONG);
    List<String> ids = List.of(newId(), newId(), newId());
    List<Mark> marks = ids.stream().map(id -> proceed(store, id)).toList();

    store.abandon(marks.subList(0, 2));
    store.abandon(List.of());

    assertThat(proceed(store, ids.get(0)).token()).isNotEqualTo(marks.get(0).token());
    proceed(store, ids.get(1));
    assertThat(begin(store, ids.get(2))).isEqualTo(Begin.IN_PROGRESS);
  }

  /** Whoever is slow has lost its right once another has it. */
  @Test
  @DisplayName("R42: who lost its mark by time can neither complete nor abandon another's")
  public void aLostMarkDoesNothing() {
    IdempotencyStore slow = store(SHORT);
    IdempotencyStore other = store(LONG);
    String id = newId();
    Mark lost = proceed(slow, id);
    Mark mark = awaitProceed(other, id);

    assertThat(complete(slow, lost)).isFalse();
    slow.abandon(List.of(lost));
    assertThat(begin(slow, id)).isEqualTo(Begin.IN_PROGRESS);

    assertThat(complete(other, mark)).isTrue();

    assertThat(complete(slow, lost)).isFalse();
    slow.abandon(List.of(lost));
    assertThat(begin(slow, id)).isEqualTo(Begin.DUPLICATE);
  }

  /** Its effect has happened, so it had better be remembered. */
  @Test
  @DisplayName("R42: who lost its mark by time can complete if nobody has begun since")
  public void aLateCompletionCountsIfNobodyCameBetween() {
    IdempotencyStore store = store(SHORT);
    IdempotencyStore other = store(SHORT);
    String expired = newId();
    Mark late = proceed(store, expired);
    // What a second event shows to be over is over for the first.
    String witness = newId();
    proceed(store, witness);
    awaitProceed(other, witness);

    assertThat(complete(store, late)).isTrue();
    assertThat(begin(other, expired)).isEqualTo(Begin.DUPLICATE);

    String abandoned = newId();
    Mark mark = proceed(store, abandoned);
    store.abandon(List.of(mark));
    assertThat(complete(store, mark)).isTrue();
    assertThat(begin(other, abandoned)).isEqualTo(Begin.DUPLICATE);
  }

  /** One that crashed after taking over is nobody. */
  @Test
  @DisplayName("R42: who lost its mark to another can complete once that one's time is over too")
  public void aLateCompletionCountsIfTheOtherIsGone() {
    IdempotencyStore store = store(SHORT);
    String id = newId();
    Mark late = proceed(store, id);
    awaitProceed(store, id);
    await().atMost(Duration.ofSeconds(20)).until(() -> complete(store, late));

    assertThat(begin(store, id)).isEqualTo(Begin.DUPLICATE);
  }

  /** Answers belong to their questions. */
  @Test
  @DisplayName("many events begin together, each with its own answer, in the order asked")
  public void aBatchIsAnsweredInOrder() {
    IdempotencyStore store = store(LONG);
    List<String> ids = IntStream.range(0, 300).mapToObj(i -> newId()).toList();
    for (int i = 0; i < ids.size(); i += 3) {
      assertThat(complete(store, proceed(store, ids.get(i)))).isTrue();
      proceed(store, ids.get(i + 1));
    }

    List<Begin> answers = store.begin("inventory", ids);

    assertThat(answers).hasSize(300);
    for (int i = 0; i < ids.size(); i += 3) {
      assertThat(answers.get(i)).isEqualTo(Begin.DUPLICATE);
      assertThat(answers.get(i + 1)).isEqualTo(Begin.IN_PROGRESS);
      assertThat(answers.get(i + 2)).isInstanceOf(Proceed.class);
      assertThat(((Proceed) answers.get(i + 2)).mark().eventId()).isEqualTo(ids.get(i + 2));
    }
    assertThat(store.begin("inventory", List.of())).isEmpty();
  }

  /** The race that the store is there for. */
  @Test
  @DisplayName("R44: of many threads that begin the same events, one proceeds with each")
  public void oneThreadProceedsWithEachEvent() throws Exception {
    List<IdempotencyStore> stores = List.of(store(LONG), store(LONG));
    List<String> ids = IntStream.range(0, 200).mapToObj(i -> newId()).toList();
    Map<String, AtomicInteger> proceeds = new ConcurrentHashMap<>();
    atOnce(
        thread -> {
          IdempotencyStore store = stores.get(thread % 2);
          List<String> mine = new ArrayList<>(ids);
          Collections.shuffle(mine);
          for (int i = 0; i < mine.size(); i += 20) {
            for (Begin begin : store.begin("inventory", mine.subList(i, i + 20))) {
              if (begin instanceof Proceed proceed) {
                proceeds
                    .computeIfAbsent(proceed.mark().eventId(), id -> new AtomicInteger())
                    .incrementAndGet();
                assertThat(complete(store, proceed.mark())).isTrue();
              }
            }
          }
        });

    assertThat(proceeds).containsOnlyKeys(ids);
    assertThat(proceeds.values()).allSatisfy(count -> assertThat(count).hasValue(1));
    assertThat(stores.get(0).begin("inventory", ids)).containsOnly(Begin.DUPLICATE);
  }

  /** Time runs out for many at once. */
  @Test
  @DisplayName("R44: of many threads that take over events whose time is over, one gets each")
  public void oneThreadTakesOverEachEvent() throws Exception {
    IdempotencyStore crashed = store(SHORT);
    IdempotencyStore store = store(LONG);
    List<String> ids = IntStream.range(0, 50).mapToObj(i -> newId()).toList();
    assertThat(crashed.begin("inventory", ids)).allMatch(Proceed.class::isInstance);
    Map<String, AtomicInteger> proceeds = new ConcurrentHashMap<>();
    atOnce(
        thread ->
            await()
                .atMost(Duration.ofSeconds(20))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .until(
                    () -> {
                      for (Begin begin : store.begin("inventory", ids)) {
                        if (begin instanceof Proceed proceed) {
                          proceeds
                              .computeIfAbsent(proceed.mark().eventId(), id -> new AtomicInteger())
                              .incrementAndGet();
                        }
                      }
                      return proceeds.size() == ids.size();
                    }));

    assertThat(proceeds.values()).allSatisfy(count -> assertThat(count).hasValue(1));
  }

  /** The single mark that is set before the handler runs. */
  @Test
  @DisplayName("R41: of many threads that check and mark an event, one finds it new")
  public void oneThreadFindsAnEventNew() throws Exception {
    IdempotencyStore store = store(LONG);
    List<String> ids = IntStream.range(0, 50).mapToObj(i -> newId()).toList();
    AtomicInteger unknown = new AtomicInteger();
    atOnce(
        thread -> {
          for (String id : ids) {
            if (!store.checkAndMarkProcessed("inventory", id, LONG)) {
              unknown.incrementAndGet();
            }
          }
        });

    assertThat(unknown).hasValue(50);
    assertThat(store.begin("inventory", ids)).containsOnly(Begin.DUPLICATE);
  }

  /** The two ways of marking respect each other. */
  @Test
  @DisplayName("R41: an event that is in progress or processed is found marked")
  public void anEventBegunIsFoundMarked() {
    IdempotencyStore store = store(LONG);
    String id = newId();
    Mark mark = proceed(store, id);

    assertThat(store.checkAndMarkProcessed("inventory", id, LONG)).isTrue();
    assertThat(complete(store, mark)).isTrue();
    assertThat(store.checkAndMarkProcessed("inventory", id, LONG)).isTrue();

    String expired = newId();
    IdempotencyStore crashed = store(SHORT);
    proceed(crashed, expired);
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> !store.checkAndMarkProcessed("inventory", expired, LONG));
    assertThat(begin(store, expired)).isEqualTo(Begin.DUPLICATE);
  }

  /** An operator's way to have an event handled again. */
  @Test
  @DisplayName("R41: deleting a mark of any kind lets the event be handled again")
  public void aDeletedMarkLetsTheEventBeHandledAgain() {
    IdempotencyStore store = store(LONG);
    String id = newId();
    assertThat(store.delete("inventory", id)).isFalse();

    assertThat(store.checkAndMarkProcessed("inventory", id, LONG)).isFalse();
    assertThat(store.delete("inventory", id)).isTrue();
    Mark mark = proceed(store, id);
    assertThat(store.delete("inventory", id)).isTrue();
    assertThat(complete(store, proceed(store, id))).isTrue();
    assertThat(complete(store, mark)).isFalse();
    assertThat(store.delete("inventory", id)).isTrue();
    proceed(store, id);
  }

  /** Each consumer has its own memory. */
  @Test
  @DisplayName("R41: what one consumer has handled is new to another")
  public void consumersDoNotDisturbEachOther() {
    IdempotencyStore inventory = store(LONG);
    IdempotencyStore payment = store("payment", LONG, LONG);
    String id = newId();
    assertThat(complete(inventory, proceed(inventory, id))).isTrue();

    Begin begin = payment.begin("payment", id);

    assertThat(begin).isInstanceOf(Proceed.class);
    assertThat(payment.checkAndMarkProcessed("payment", id, LONG)).isTrue();
    payment.abandon(List.of(((Proceed) begin).mark()));
    assertThat(payment.delete("payment", id)).isFalse();
    assertThat(begin(inventory, id)).isEqualTo(Begin.DUPLICATE);
  }

  /** Memory is not for ever. */
  @Test
  @DisplayName("R41: a processed event is forgotten when its time to live is over")
  public void processedEventsAreForgotten() {
    Duration ttl = Duration.ofSeconds(1);
    IdempotencyStore store = store("inventory", LONG, ttl);
    String completed = newId();
    String marked = newId();
    assertThat(complete(store, proceed(store, completed))).isTrue();
    assertThat(store.checkAndMarkProcessed("inventory", marked, ttl)).isFalse();

    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> !store.checkAndMarkProcessed("inventory", marked, ttl));
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              store.prune();
              return begin(store, completed) instanceof Proceed;
            });
  }

  /** Ids are the writers' business. */
  @Test
  @DisplayName("R44: ids of any form that the store takes are told apart")
  public void unusualIdsAreKept() {
    IdempotencyStore store = store(LONG);
    List<String> ids = unusualIds();
    assertThat(ids).allSatisfy(id -> assertThat(store.problem(id)).isNull());

    List<Begin> answers = store.begin("inventory", ids);

    assertThat(answers).hasSize(ids.size()).allMatch(Proceed.class::isInstance);
    for (Begin answer : answers) {
      assertThat(complete(store, ((Proceed) answer).mark())).isTrue();
    }
    assertThat(store.begin("inventory", ids)).containsOnly(Begin.DUPLICATE);
    assertThat(ids).allSatisfy(id -> assertThat(store.delete("inventory", id)).isTrue());
  }

  /** What can have no mark is refused, not mistaken. */
  @Test
  @DisplayName("a blank id has a problem, and every call refuses it")
  public void blankIdsAreRefused() {
    IdempotencyStore store = store(LONG);
    for (String blank : List.of("", " \t")) {
      assertThat(store.problem(blank)).contains("blank");
      assertThatThrownBy(() -> begin(store, blank)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> store.checkAndMarkProcessed("inventory", blank, LONG))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> store.delete("inventory", blank))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
