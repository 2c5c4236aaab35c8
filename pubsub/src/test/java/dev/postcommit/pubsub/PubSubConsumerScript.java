package dev.postcommit.pubsub;

import dev.postcommit.inbox.Attempt;
import dev.postcommit.inbox.DeadLetter;
import dev.postcommit.inbox.EventConsumer;
import dev.postcommit.inbox.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** An event consumer that does as a test says: what waits for a message to be retried, it holds. */
final class PubSubConsumerScript implements EventConsumer {
  /** What to do with a message. */
  @FunctionalInterface
  interface Script {
    Outcome play(Attempt attempt) throws InterruptedException;
  }

  private final String name = "consumer-" + UUID.randomUUID();
  private final Script script;

  PubSubConsumerScript(Script script) {
    this.script = script;
  }

  static Outcome retry(long millis) {
    return new Outcome.Retry(Duration.ofMillis(millis), true, "temporary");
  }

  static Outcome dead(Attempt attempt) {
    return new Outcome.Dead(
        new DeadLetter(
            "id-1",
            "order.placed",
            attempt.message(),
            "broken",
            "java.lang.IllegalArgumentException",
            attempt.number(),
            Instant.parse("2026-01-02T03:04:05Z"),
            "inventory-service"));
  }

  static String body(Attempt attempt) {
    byte[] body = attempt.message().body();
    return body == null ? "none" : new String(body, java.nio.charset.StandardCharsets.UTF_8);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<Outcome> handle(List<Attempt> attempts) {
    List<Outcome> outcomes = new ArrayList<>();
    Set<Object> waiting = new HashSet<>();
    for (Attempt attempt : attempts) {
      Outcome outcome = waiting.contains(attempt.order()) ? Outcome.HELD : play(attempt);
      if (outcome instanceof Outcome.Retry && attempt.order() != null) {
        waiting.add(attempt.order());
      }
      outcomes.add(outcome);
    }
    return outcomes;
  }

  private Outcome play(Attempt attempt) {
    try {
      return script.play(attempt);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Outcome.Retry(Duration.ofSeconds(1), false, "interrupted");
    }
  }

  @Override
  public long prune() {
    return 0;
  }
}
