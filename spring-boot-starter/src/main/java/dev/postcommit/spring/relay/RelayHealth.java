package dev.postcommit.spring.relay;

import dev.postcommit.relay.Relay.State;
import java.util.Locale;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * The health of the relay: up while it runs or is paused by an operator, and its database and its
 * broker are available.
 */
final class RelayHealth implements HealthIndicator {
  private final RelayLifecycle relay;

  RelayHealth(RelayLifecycle relay) {
    this.relay = relay;
  }

  @Override
  public Health health() {
    State state = relay.state();
    RelayStatus status = relay.status();
    boolean ready =
        (state == State.RUNNING || state == State.PAUSED)
            && status.databaseProblem().isEmpty()
            && status.brokerProblem().isEmpty();
    Health.Builder health =
        (ready ? Health.up() : Health.down())
            .withDetail("relay", state.name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .withDetail("database", status.databaseProblem().orElse("ok"))
            .withDetail("broker", status.brokerProblem().orElse("ok"));
    status.standbysProblem().ifPresent(problem -> health.withDetail("standbys", problem));
    return health.build();
  }
}
