package dev.postcommit.examples.minichat;

import static dev.postcommit.examples.minichat.Fixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.Ordering;
import dev.postcommit.examples.minichat.dispatcher.DispatcherConfig;
import dev.postcommit.examples.minichat.dispatcher.UsageDispatcher;
import dev.postcommit.examples.minichat.usage.UsageEvent;
import dev.postcommit.layout.Layout;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.LeaseLostException;
import dev.postcommit.store.OutboxStore;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The outbox without a relay: claim, then acknowledge or not, by hand (R20, R21, R29). */
class ClaimsByHandIT {

  @Test
  void onlyTheHolderOfALeaseMaySettle() throws Exception {
    try (Fixture miniChat = new Fixture();
        OutboxStore store = store(miniChat);
        OutboxStore other = store(miniChat)) {
      miniChat.settle(2);
      Claim claim = store.claim(request(Duration.ofSeconds(30)));
      String first = claim.events().get(0).id();
      String second = claim.events().get(1).id();
      assertThat(claim.events()).allMatch(event -> event.attempt() == 1);
      assertThat(other.claim(request(Duration.ofSeconds(30))).isEmpty()).isTrue();
      assertThatThrownBy(() -> other.ack(claim, first)).isInstanceOf(LeaseLostException.class);

      store.ack(claim, first);
      store.nack(claim, second, "billing is closed", Fixture.CONFIG.retryPolicy());
      assertThat(miniChat.events("status = 'delivered' AND id = '" + first + "'")).isEqualTo(1);
      assertThat(miniChat.events("status = 'pending' AND last_error = 'billing is closed'"))
          .isEqualTo(1);
      assertThatThrownBy(() -> store.ack(claim, first)).isInstanceOf(LeaseLostException.class);
    }
  }

  @Test
  void aLeaseThatIsOverIsLost() throws Exception {
    try (Fixture miniChat = new Fixture();
        OutboxStore slow = store(miniChat);
        OutboxStore other = store(miniChat)) {
      miniChat.settle(1);
      Claim late = slow.claim(request(Duration.ofMillis(50)));
      Claim taken =
          eventually()
              .until(() -> other.claim(request(Duration.ofSeconds(30))), claim -> !claim.isEmpty());
      String id = late.events().get(0).id();

      assertThatThrownBy(() -> slow.ack(late, id)).isInstanceOf(LeaseLostException.class);
      other.ack(taken, id);
      assertThat(miniChat.events("status = 'delivered' AND attempts = 2")).isEqualTo(1);
    }
  }

  @Test
  void aPollIntervalOfMoreThanAThirdOfTheLeaseIsRefused() throws Exception {
    try (Fixture miniChat = new Fixture()) {
      DispatcherConfig config =
          new DispatcherConfig(
              10, Duration.ofSeconds(2), Duration.ofSeconds(5), Fixture.CONFIG.retryPolicy());
      assertThatThrownBy(
              () ->
                  UsageDispatcher.of(miniChat.chat, message -> {}, config, new RelayListener() {}))
          .hasMessageContaining("pollInterval (PT2S) must be at most a third of lease (PT5S)");
    }
  }

  private static ClaimRequest request(Duration lease) {
    return ClaimRequest.of(10, lease, 4)
        .withOrdering(Ordering.NONE)
        .scopedTo(UsageEvent.NAMESPACE, null);
  }

  private static OutboxStore store(Fixture miniChat) {
    return OutboxStore.of(miniChat.chat, Layout.preset("modkit"), UUID.randomUUID());
  }
}
