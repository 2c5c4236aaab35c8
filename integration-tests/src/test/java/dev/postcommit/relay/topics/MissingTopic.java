package dev.postcommit.relay.topics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.fixture.ScriptedPublisher;
import dev.postcommit.layout.TableName;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Relay;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.LayoutSample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A topic that takes no messages, beside one that does. */
abstract class MissingTopic extends LayoutFixture {
  protected static final String MISSING = "missing";
  protected static final String THERE = "there";
  protected static final String REASON = "topic missing does not exist; create it";

  protected ScriptedPublisher publisher = new ScriptedPublisher();
  protected final AtomicInteger probes = new AtomicInteger();
  private final Set<String> sent = ConcurrentHashMap.newKeySet();
  protected volatile boolean exists;

  MissingTopic(LayoutSample sample) {
    super(sample);
  }

  @BeforeEach
  void newBroker() {
    publisher = new ScriptedPublisher().answering(this::answer);
    probes.set(0);
    sent.clear();
    exists = false;
  }

  private Delivery answer(Message message) {
    if (!message.topic().equals(MISSING) || exists) {
      return Delivery.DELIVERED;
    }
    probes.incrementAndGet();
    sent.add(ScriptedPublisher.id(message));
    return new Delivery.TopicUnavailable(REASON, null);
  }

  protected final Relay.Builder relay() {
    return Relay.builder(dataSource(), publisher)
        .layout(layout())
        .router(event -> new String(event.payload(), UTF_8).contains(MISSING) ? MISSING : THERE)
        .lease(Duration.ofSeconds(5))
        .pollInterval(Duration.ofMillis(20));
  }

  protected static Relay started(Relay.Builder builder) {
    Relay relay = builder.build();
    relay.start();
    return relay;
  }

  protected final String write(String key, String topic) {
    return enqueue(event(key).json("\"" + topic + "\"").build()).get(0);
  }

  /** How often the rows of events were written, by their ids, as far as that can be told. */
  private Map<String, String> versions() {
    Map<String, String> versions = new HashMap<>();
    List<TableName> tables = new ArrayList<>(List.of(settled().table()));
    settled().failures().ifPresent(tables::add);
    for (TableName table : tables) {
      query(
          "SELECT '%s' || id || ' ' || xmin FROM %s".formatted(table.name(), table.sql()),
          row -> versions.put(row.split(" ")[0], row.split(" ")[1]));
    }
    return versions;
  }

  @Test
  @DisplayName("R21, R40: events for a missing topic wait unwritten, others go on, and all follow")
  void eventsForAMissingTopicWaitAndTheOthersGoOn() {
    List<String> waiting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waiting.add(write("a", MISSING));
      waiting.add(write("b", MISSING));
    }
    waiting.add(write("d", MISSING));
    waiting.add(write("d", THERE));
    List<String> others = List.of(write("c", THERE), write("c", THERE), write("c", THERE));

    try (Relay relay = started(relay())) {
      awaitUntil(() -> publisher.accepted().containsAll(others));
      awaitUntil(() -> probes.get() >= 2);
      assertThat(publisher.accepted()).isEqualTo(others);
      Map<String, String> before = versions();
      int probed = probes.get();
      awaitUntil(() -> probes.get() > probed);

      Map<String, String> after = versions();
      after.entrySet().removeAll(before.entrySet());
      assertThat(after).as("written again by a probe").hasSizeLessThanOrEqualTo(2);
      assertThat(sent).as("sent while the topic is missing").hasSizeLessThanOrEqualTo(2);
      // Modkit counts an attempt when it begins, and takes it back.
      awaitUntil(() -> waiting.stream().allMatch(id -> attempts(id) == 0));
      assertThat(admin().countDead(DeadFilter.all())).isZero();

      exists = true;
      awaitUntil(() -> admin().status().pending() == 0);
      assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);
    }
    List<String> accepted = publisher.accepted();
    assertThat(accepted).hasSize(waiting.size() + others.size());
    for (List<String> key :
        List.of(
            List.of(waiting.get(0), waiting.get(2), waiting.get(4)),
            List.of(waiting.get(1), waiting.get(3), waiting.get(5)),
            List.of(waiting.get(6), waiting.get(7)))) {
      assertThat(accepted).containsSubsequence(key);
    }
  }
}
