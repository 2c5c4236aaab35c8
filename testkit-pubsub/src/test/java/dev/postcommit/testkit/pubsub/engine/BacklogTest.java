package dev.postcommit.testkit.pubsub.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.ReceivedMessage;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BacklogTest {

  private static final int KEYS = 5;
  private static final int STEPS = 20_000;

  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Backlog backlog = new Backlog("b", true, timer);
  private final List<Reader> readers = new ArrayList<>();

  /** By key, the number of the message that went out last. */
  private final Map<String, Integer> last = new HashMap<>();

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  @Test
  void whateverReadersAnswerKeysStayInOrderAndWithOneReader() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int[] published = new int[KEYS];
    for (int i = 0; i < 3; i++) {
      readers.add(new Reader(1 + 4 * i));
      backlog.join(readers.get(i));
    }

    for (int step = 0; step < STEPS; step++) {
      Reader reader = readers.get(random.nextInt(readers.size()));
      switch (random.nextInt(4)) {
        case 0 -> {
          int key = random.nextInt(KEYS);
          backlog.publish(List.of(message("key " + key, published[key]++)));
        }
        case 1 -> reader.giveBack(random);
        default -> reader.acknowledge(random);
      }
    }
    while (readers.stream().anyMatch(reader -> !reader.leases.isEmpty())) {
      readers.forEach(reader -> reader.acknowledge(random));
    }

    for (int key = 0; key < KEYS; key++) {
      assertThat(last).as("seed %d", seed).containsEntry("key " + key, published[key] - 1);
    }
    Reader late = new Reader(1_000);
    backlog.join(late);
    assertThat(late.leases).as("what is left").isEmpty();
  }

  @Test
  void readersThatTakeMoreShareWhatNobodyHolds() {
    Reader first = new Reader(1_000);
    Reader second = new Reader(1_000);
    backlog.publish(IntStream.range(0, 100).mapToObj(i -> message("key " + i, 0)).toList());
    readers.addAll(List.of(first, second));
    backlog.join(first);
    backlog.join(second);
    backlog.publish(IntStream.range(100, 200).mapToObj(i -> message("key " + i, 0)).toList());

    assertThat(first.leases).hasSize(150);
    assertThat(second.leases).hasSize(50);
  }

  private static PubsubMessage message(String key, int number) {
    return PubsubMessage.newBuilder()
        .setOrderingKey(key)
        .setData(ByteString.copyFromUtf8("" + number))
        .build();
  }

  /** Takes a number of messages at a time and checks what it gets. */
  private final class Reader extends Consumer {

    private final int most;

    Reader(int most) {
      this.most = most;
    }

    void acknowledge(Random random) {
      if (!leases.isEmpty()) {
        backlog.acknowledge(List.of(any(random)));
      }
    }

    void giveBack(Random random) {
      if (!leases.isEmpty()) {
        backlog.modifyAckDeadlines(List.of(any(random)), List.of(0));
      }
    }

    private String any(Random random) {
      return leases.stream().skip(random.nextInt(leases.size())).findFirst().orElseThrow().ackId;
    }

    @Override
    void send(List<ReceivedMessage> messages) {
      for (ReceivedMessage received : messages) {
        String key = received.getMessage().getOrderingKey();
        int number = Integer.parseInt(received.getMessage().getData().toStringUtf8());
        assertThat(number).as(key).isBetween(0, last.getOrDefault(key, -1) + 1);
        last.put(key, number);
        assertThat(readers).filteredOn(other -> other != this).noneMatch(other -> other.holds(key));
      }
    }

    private boolean holds(String key) {
      return leases.stream().anyMatch(each -> each.item.message.getOrderingKey().equals(key));
    }

    @Override
    int ackDeadlineSeconds() {
      return 600;
    }

    @Override
    boolean takesMore() {
      return leases.size() < most;
    }

    @Override
    boolean isOver() {
      return false;
    }

    @Override
    void finish() {}

    @Override
    void fail(StatusRuntimeException reason) {
      throw reason;
    }
  }
}
