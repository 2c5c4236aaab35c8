package dev.postcommit.server.http;

import dev.postcommit.relay.Relay.State;
import dev.postcommit.server.relay.Relays;
import dev.postcommit.server.relay.RunningRelay;
import dev.postcommit.settings.Setting;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Whether every relay can deliver: its database and its broker answer, and it is at work, or would
 * be had no operator paused it.
 */
final class RelayHealth implements HealthIndicator {
  private final Relays relays;

  RelayHealth(Relays relays) {
    this.relays = relays;
  }

  @Override
  public Health health() {
    boolean ready = true;
    Health.Builder health = Health.unknown();
    for (RunningRelay relay : relays.all()) {
      ready &= isReady(relay);
      health.withDetail(relay.name(), details(relay));
    }
    return (ready ? health.up() : health.down()).build();
  }

  private static boolean isReady(RunningRelay relay) {
    return (relay.state() == State.RUNNING || relay.state() == State.PAUSED)
        && relay.probes().databaseProblem().isEmpty()
        && relay.probes().brokerProblem().isEmpty();
  }

  private static Map<String, String> details(RunningRelay relay) {
    Map<String, String> details = new LinkedHashMap<>();
    details.put("relay", Setting.word(relay.state()));
    details.put("database", state(relay.probes().databaseProblem()));
    details.put("broker", state(relay.probes().brokerProblem()));
    return details;
  }

  /** Problems name hosts and users, so they are only for clients with the admin token. */
  private static String state(Optional<String> problem) {
    return problem.isPresent() ? "unavailable" : "ok";
  }
}
