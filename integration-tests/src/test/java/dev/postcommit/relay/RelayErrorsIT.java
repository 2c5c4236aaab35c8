package dev.postcommit.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.fixture.ScriptedPublisher;
import dev.postcommit.store.StoredEvent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Errors in the code that a relay calls, and waits that are cut short. */
@SuppressWarnings("try") // a relay works without being spoken to
class RelayErrorsIT extends RelayFixture {

  @Test
  @DisplayName("R28: an error thrown on sending concerns its event alone, which is tried again")
  void anErrorConcernsItsEventAlone() {
    AtomicInteger calls = new AtomicInteger();
    List<String> ids = enqueue("a", 1);
    ids.addAll(enqueue("b", 3));
    publisher.completing(
        message -> {
          if (ScriptedPublisher.id(message).equals(ids.get(0)) && calls.incrementAndGet() < 3) {
            throw new NoClassDefFoundError("some/Codec");
          }
          return CompletableFuture.completedFuture(Delivery.DELIVERED);
        });
    try (Relay relay = started(relay())) {
      awaitDelivered(ids);
      assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);
    }
    assertThat(calls).hasValue(3);
    assertThat(attempts(ids.get(0))).isEqualTo(3);
    assertThat(attempts(ids.get(1))).isEqualTo(1);
  }

  @Test
  @DisplayName("R28: errors of a publisher's probe and of listeners do not end a relay")
  void errorsOfProbesAndListenersAreSurvived() {
    AtomicInteger probes = new AtomicInteger();
    ProbedPublisher failing =
        new ProbedPublisher(
            publisher,
            () -> {
              if (probes.incrementAndGet() == 1) {
                throw new AssertionError("a bad probe");
              }
            });
    RelayListener bad =
        new RelayListener() {
          @Override
          public void polled(int taken) {
            throw new LinkageError("a bad listener");
          }

          @Override
          public Message sending(StoredEvent event, Message message) {
            throw new LinkageError("a bad listener");
          }
        };
    List<String> ids = enqueue("a", 3);
    try (Relay relay = started(relay(failing).listener(bad))) {
      awaitDelivered(ids);
      assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);
    }
    assertThat(probes).hasValue(2);
  }

  @Test
  @DisplayName("R28: a lane that is interrupted by the code it calls goes on")
  void anInterruptIsSurvived() {
    publisher.answering(
        message -> {
          Thread.currentThread().interrupt();
          return Delivery.DELIVERED;
        });
    try (Relay relay = started(relay().batchesInFlight(1))) {
      awaitDelivered(enqueue("a", 1));
      awaitDelivered(enqueue("a", 1));
      assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);
    }
  }

  @Test
  @DisplayName("R48: a relay whose thread ended for an error of the virtual machine has failed")
  void anErrorOfTheVirtualMachineFails() {
    publisher.completing(
        message -> {
          throw new InternalError("out of order, for a test");
        });
    enqueue("a", 1);
    Relay relay = started(relay());
    awaitUntil(() -> relay.state() == Relay.State.FAILED);
    awaitUntil(
        () ->
            admin().relays().orElseThrow().stream().anyMatch(row -> row.state().equals("failed")));
    relay.close();
    assertThat(relay.state()).isEqualTo(Relay.State.STOPPED);
  }

  @Test
  @DisplayName("R36: a wait for the broker is cut short once, and the rule of probes is kept")
  void aWaitForTheBrokerIsCutShort() {
    AtomicInteger probes = new AtomicInteger();
    ProbedPublisher probed = new ProbedPublisher(publisher, probes::incrementAndGet);
    publisher.ready(false);
    List<String> ids = enqueue("a", 2);
    try (Relay relay = started(relay(probed))) {
      // So many are made only if no wait for the next is waited out.
      awaitUntil(
          () -> {
            relay.retryNow();
            return probes.get() > 12;
          });
      publisher.ready(true);
      relay.retryNow();
      awaitDelivered(ids);
      assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);
      relay.retryNow();
      relay.retryNow();
      awaitDelivered(enqueue("a", 1));
    }
    assertThat(publisher.accepted()).doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("R28: a wait for the database is cut short")
  void aWaitForTheDatabaseIsCutShort() {
    OutagePool pool = new OutagePool(dataSource());
    List<String> ids = enqueue("a", 2);
    pool.fail(true);
    try (Relay relay = started(Relay.builder(pool.dataSource(), publisher))) {
      awaitUntil(
          () -> {
            relay.retryNow();
            return pool.failures() > 40;
          });
      pool.fail(false);
      relay.retryNow();
      awaitDelivered(ids);
    }
  }

  /** A publisher whose probes are watched. */
  private record ProbedPublisher(ScriptedPublisher target, Runnable onProbe) implements Publisher {
    @Override
    public CompletionStage<Delivery> send(Message message) {
      return target.send(message);
    }

    @Override
    public Optional<String> problem() {
      onProbe.run();
      return target.problem();
    }

    @Override
    public Duration deliveryTimeout() {
      return target.deliveryTimeout();
    }
  }
}
