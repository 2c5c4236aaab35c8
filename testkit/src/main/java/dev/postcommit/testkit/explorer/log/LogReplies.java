package dev.postcommit.testkit.explorer.log;

import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.testkit.explorer.oracle.History;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the broker says to events of a log in one run. */
final class LogReplies {

  /** What the broker says to an event: so often no, and then yes, or never. */
  record Reply(int failures, boolean isRejection, boolean arrivesAnyway) {}

  private final Map<String, Reply> replies;
  private final History history;
  private final Map<String, Integer> failures = new HashMap<>();

  LogReplies(Map<String, Reply> replies, History history) {
    this.replies = replies;
    this.history = history;
  }

  /** Whether the broker does not take an event now. */
  synchronized boolean refuses(StoredEvent event) {
    @Nullable Reply reply = replies.get(history.name(event.id()));
    return reply != null && failures.getOrDefault(event.id(), 0) < reply.failures();
  }

  /** What becomes of an event that the broker does not take. */
  synchronized Outcome refusal(StoredEvent event) {
    String id = event.id();
    @Nullable Reply reply = replies.get(history.name(id));
    failures.merge(id, 1, Integer::sum);
    if (reply != null && reply.isRejection()) {
      history.mayDie(id);
      return new Outcome.Dead(id, "rejected");
    }
    if (reply != null && reply.arrivesAnyway()) {
      history.arrived(id);
    }
    return new Outcome.Retry(id, "not now", Duration.ZERO);
  }

  /** Sends an event; returns what became of it. */
  synchronized Outcome to(StoredEvent event) {
    if (refuses(event)) {
      return refusal(event);
    }
    history.arrived(event.id());
    return new Outcome.Delivered(event.id());
  }
}
