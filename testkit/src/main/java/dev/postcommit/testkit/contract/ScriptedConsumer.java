package dev.postcommit.testkit.contract;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.Outcome;
import dev.postcommit.consumer.WorkItem;
import dev.postcommit.consumer.deadletter.DeadLetter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** An event consumer that does as a test says: what waits for a message to be retried, it holds. */
public final class ScriptedConsumer implements EventConsumer {
  /** What to do with a message. */
  @FunctionalInterface
  public interface Script {
    /** What becomes of an attempt. */
    Outcome play(WorkItem item) throws InterruptedException;
  }

  private final String name = "consumer-" + UUID.randomUUID();
  private final Script script;
  private final AtomicInteger largestBatch = new AtomicInteger();

  /** Does as {@code script} says, under a name of its own. */
  public ScriptedConsumer(Script script) {
    this.script = script;
  }

  /** An attempt that counts, and another one after a time. */
  public static Outcome retry(long millis) {
    return new Outcome.Retry(Duration.ofMillis(millis), true, "temporary");
  }

  /** The consumer gives up. */
  public Outcome dead(WorkItem item) {
    return new Outcome.Dead(
        new DeadLetter(
            "id-1",
            "order.placed",
            item.message(),
            "broken",
            "java.lang.IllegalArgumentException",
            item.attempt(),
            Instant.parse("2026-01-02T03:04:05Z"),
            name));
  }

  /** The most messages it was given at once. */
  public int largestBatch() {
    return largestBatch.get();
  }

  /** The body of a message as text. */
  public static String body(WorkItem item) {
    byte[] body = item.message().body();
    return body == null ? "none" : new String(body, StandardCharsets.UTF_8);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<Outcome> handle(List<WorkItem> items) {
    largestBatch.accumulateAndGet(items.size(), Math::max);
    List<Outcome> outcomes = new ArrayList<>();
    Set<Object> waiting = new HashSet<>();
    for (WorkItem item : items) {
      Outcome outcome = waiting.contains(item.orderingKey()) ? Outcome.HELD : play(item);
      if (outcome instanceof Outcome.Retry && item.orderingKey() != null) {
        waiting.add(item.orderingKey());
      }
      outcomes.add(outcome);
    }
    return outcomes;
  }

  private Outcome play(WorkItem item) {
    try {
      return script.play(item);
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
