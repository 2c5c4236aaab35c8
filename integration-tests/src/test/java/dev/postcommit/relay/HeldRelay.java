package dev.postcommit.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postcommit.fixture.ScriptedPublisher;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What becomes of held rows when their relay does not settle them. */
@SuppressWarnings("try") // a relay works without being spoken to
abstract class HeldRelay extends LayoutFixture {
  private static final Duration POLL = Duration.ofSeconds(1);

  private final String name;
  private ScriptedPublisher publisher = new ScriptedPublisher();

  /** The tests for one sample, which goes by {@code name} in another process. */
  HeldRelay(String name, LayoutSample sample) {
    super(sample);
    this.name = name;
  }

  @BeforeEach
  final void newPublisher() {
    publisher = new ScriptedPublisher();
  }

  private ChildProcess stuck(Processes processes, Duration lease) {
    ChildProcess relay =
        processes.start(
            StuckRelay.class,
            database().jdbcUrl(),
            database().username(),
            name,
            Long.toString(lease.toMillis()));
    awaitUntil(() -> StuckRelay.isSending(relay.output()));
    return relay;
  }

  private Relay survivor() {
    Relay relay =
        Relay.builder(dataSource(), publisher)
            .layout(layout())
            .lease(Duration.ofSeconds(10))
            .pollInterval(POLL)
            .build();
    relay.start();
    return relay;
  }

  private List<String> twoKeys() {
    List<String> ids = new ArrayList<>(enqueue("a", 3));
    ids.addAll(enqueue("b", 2));
    return ids;
  }

  @Test
  @DisplayName(
      "R18: a relay killed in mid-batch frees its rows at once; the next goes on in two polls")
  void aKilledRelayFreesItsRowsAtOnce() {
    List<String> ids = twoKeys();
    try (Processes processes = Processes.create()) {
      ChildProcess victim = stuck(processes, Duration.ofMinutes(10));
      try (Relay survivor = survivor()) {
        awaitUntil(() -> survivor.state() == Relay.State.RUNNING);
        assertThat(admin().status().inFlight()).isEqualTo(ids.size());
        assertThat(admin().status().relays()).isEqualTo(1);

        victim.kill();
        long killedAt = System.nanoTime();
        awaitUntil(() -> publisher.accepted().size() == ids.size());

        assertThat(Duration.ofNanos(System.nanoTime() - killedAt)).isLessThan(POLL.multipliedBy(2));
        awaitUntil(() -> admin().status().pending() == 0);
      }
    }
    assertThat(publisher.accepted()).isEqualTo(ids);
  }

  @Test
  @DisplayName("a frozen relay holds its transaction no longer than the lease, and settles nothing")
  void aFrozenRelayHoldsItsTransactionNoLongerThanTheLease() {
    List<String> ids = twoKeys();
    try (Processes processes = Processes.create()) {
      ChildProcess frozen = stuck(processes, Duration.ofSeconds(2));
      frozen.freeze();
      try (Relay survivor = survivor()) {
        awaitUntil(() -> admin().status().pending() == 0);
      }
      frozen.thaw();
      awaitUntil(() -> frozen.output().contains("delivered again"));
    }
    assertThat(publisher.accepted()).isEqualTo(ids);
    for (String id : ids) {
      assertThat(attempts(id)).isZero();
    }
  }

  @Test
  @DisplayName("events that cannot be settled are not sent over and over")
  void eventsThatCannotBeSettledAreNotSentOverAndOver() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      ids.addAll(enqueue("key-" + i, 2));
    }
    execute(
        """
        CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$""");
    execute(
        "CREATE TRIGGER full_disk BEFORE UPDATE OR DELETE ON %s EXECUTE FUNCTION full_disk()"
            .formatted(layout().table().sql()));
    try (Relay relay = survivor()) {
      awaitUntil(() -> publisher.accepted().size() > ids.size());
      awaitFewerThan(20, Duration.ofSeconds(2));
      assertThat(relay.state()).isEqualTo(Relay.State.DATABASE_UNAVAILABLE);
      execute("DROP FUNCTION full_disk CASCADE");
      awaitUntil(() -> admin().status().pending() == 0);
      awaitUntil(() -> relay.state() == Relay.State.RUNNING);
    } finally {
      execute("DROP FUNCTION IF EXISTS full_disk CASCADE");
    }
    // The batches that were in flight when the first of them failed may be sent once more.
    assertThat(publisher.accepted()).hasSizeLessThan(6 * ids.size());
    List<String> first = publisher.accepted().stream().distinct().toList();
    assertThat(first).isEqualTo(ids);
    for (String id : ids) {
      assertThat(attempts(id)).isZero();
    }
  }

  /** Waits until fewer events are sent than so many in this time. */
  private void awaitFewerThan(int events, Duration time) {
    int[] before = {0};
    await()
        .during(time)
        .atMost(Duration.ofSeconds(10))
        .until(
            () -> {
              int sent = publisher.accepted().size();
              boolean areFew = sent < before[0] + events;
              before[0] = areFew ? before[0] : sent;
              return areFew;
            });
  }

  @Test
  @DisplayName("a relay whose sessions the server ends delivers its batch again, in order")
  void aRelayWhoseSessionsEndDeliversItsBatchAgain() {
    List<String> ids = twoKeys();
    int[] sent = new int[1];
    publisher.answering(
        message -> {
          if (++sent[0] == 3) {
            execute(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND state = 'idle in transaction'""");
          }
          return Delivery.DELIVERED;
        });
    try (Relay relay = survivor()) {
      awaitUntil(() -> admin().status().pending() == 0);
    }
    List<String> first = publisher.accepted().stream().distinct().toList();
    assertThat(first).isEqualTo(ids);
    assertThat(publisher.accepted()).hasSizeGreaterThan(ids.size());
  }
}
