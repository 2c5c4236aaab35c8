package dev.postcommit.server.http;

import dev.postcommit.relay.Relay.State;
import dev.postcommit.server.relay.Relays;
import dev.postcommit.server.relay.RunningRelay;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Whether every relay can recover by itself; one that lost a thread needs a restart. */
final class RelayLiveness implements HealthIndicator {
  private final Relays relays;

  RelayLiveness(Relays relays) {
    this.relays = relays;
  }

  @Override
  public Health health() {
    for (RunningRelay relay : relays.all()) {
      if (relay.state() == State.FAILED) {
        return Health.down().withDetail(relay.name(), "a thread of the relay has ended").build();
      }
    }
    return Health.up().build();
  }
}
