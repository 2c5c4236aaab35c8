package dev.postcommit.consumer.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WorkQueueTest {
  private final WorkQueue<TestMessage> queue = new WorkQueue<>();
  private int next;

  private TestMessage add(@Nullable String key) {
    TestMessage message = new TestMessage(next++, key);
    queue.add(message);
    return message;
  }

  @Test
  void givesWhatCameFirstFirst() {
    TestMessage one = add("a");
    TestMessage two = add("b");
    TestMessage three = add("a");
    assertThat(queue.take(2, 0)).containsExactly(one, two);
    assertThat(queue.take(2, 0)).containsExactly(three);
    assertThat(queue.take(2, 0)).isEmpty();
    assertThat(queue.nextDue()).isNull();
  }

  @Test
  @DisplayName("R40: a failed event holds back only its own key")
  void aParkedStrandHoldsBackOnlyItself() {
    TestMessage failed = add("a");
    TestMessage behind = add("a");
    TestMessage other = add("b");
    queue.take(1, 0);
    queue.delay(failed, 100);

    assertThat(queue.take(10, 99)).containsExactly(other);
    TestMessage later = add("a");
    assertThat(queue.take(10, 99)).isEmpty();
    assertThat(queue.nextDue()).isEqualTo(100);
    assertThat(queue.take(10, 100)).containsExactly(failed, behind, later);
  }

  @Test
  void messagesWithoutOrderWaitForNone() {
    TestMessage failed = add(null);
    queue.take(1, 0);
    queue.delay(failed, 100);
    TestMessage other = add(null);
    assertThat(queue.take(10, 1)).containsExactly(other);
    assertThat(queue.take(10, 100)).containsExactly(failed);
  }

  @Test
  void whatIsPutBackComesBeforeTheRest() {
    TestMessage one = add("a");
    TestMessage two = add("b");
    TestMessage three = add("c");
    queue.take(2, 0);
    queue.putBack(List.of(one, two));
    assertThat(queue.take(10, 0)).containsExactly(one, two, three);
  }

  @Test
  void timesAreComparedAsNanoTimeMustBe() {
    TestMessage failed = add("a");
    long now = Long.MAX_VALUE - 5;
    queue.take(1, now);
    queue.delay(failed, now + 10);
    assertThat(queue.take(1, now + 9)).isEmpty();
    assertThat(queue.take(1, now + 10)).containsExactly(failed);
  }

  @Test
  void forgetsWhatItIsToForget() {
    TestMessage failed = add("a");
    queue.take(1, 0);
    queue.delay(failed, 100);
    add("b");
    TestMessage kept = add("c");

    queue.drop(message -> message != kept);

    assertThat(queue.nextDue()).isNull();
    assertThat(queue.take(10, 200)).containsExactly(kept);
  }

  @Test
  void beginsNothingThatIsAbandoned() {
    add("a").abandon();
    assertThat(queue.take(10, 0)).isEmpty();
  }

  @Test
  @DisplayName("R40: whatever fails and is held, the messages of a key are finished in order")
  void keepsTheOrderOfEveryStrand() {
    Random random = new Random(42);
    Map<Object, List<Integer>> finished = new HashMap<>();
    int count = 0;
    long now = 0;
    while (count < 5_000) {
      now += random.nextInt(20);
      for (int i = random.nextInt(12); i > 0 && next < 5_000; i--) {
        add("key-" + random.nextInt(7));
      }
      List<TestMessage> held = new ArrayList<>();
      for (TestMessage message : queue.take(10, now)) {
        int fate = random.nextInt(10);
        if (queue.isDelayed(message)) {
          queue.delay(message, now);
        } else if (held.stream()
            .anyMatch(each -> each.orderingKey().equals(message.orderingKey()))) {
          held.add(message);
        } else if (fate == 0) {
          queue.delay(message, now + random.nextInt(100));
        } else if (fate == 1) {
          held.add(message);
        } else {
          finished
              .computeIfAbsent(message.orderingKey(), key -> new ArrayList<>())
              .add(message.number());
          count++;
        }
      }
      queue.putBack(held);
    }
    assertThat(finished).hasSize(7);
    assertThat(finished.values()).allSatisfy(numbers -> assertThat(numbers).isSorted());
  }
}
