package dev.postcommit.testkit.explorer.outbox;

import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.testkit.explorer.oracle.History;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** What the broker says to events in one run. */
final class Replies {

  /** What the broker does with an event. */
  enum Answer {
    REJECT,
    REJECT_COPY,
    FAIL,
    UNAVAILABLE
  }

  /**
   * What the broker says to an event, before it takes it.
   *
   * @param times how often
   * @param delay when a failed attempt is repeated
   */
  record Reply(Answer answer, int times, Duration delay) {}

  private final Map<String, Reply> replies;
  private final History history;
  private final Map<String, Integer> asked = new HashMap<>();

  Replies(Map<String, Reply> replies, History history) {
    this.replies = replies;
    this.history = history;
  }

  /** The outcome of sending an event. */
  synchronized Outcome to(String relay, StoredEvent event) {
    String id = event.id();
    int times = asked.merge(id, 1, Integer::sum);
    Reply reply = replies.get(history.name(id));
    if (reply != null && times <= reply.times()) {
      switch (reply.answer()) {
        case REJECT -> {
          return rejected(id);
        }
        case REJECT_COPY -> {
          if (history.hasCopy(relay, id)) {
            return rejected(id);
          }
        }
        case FAIL -> {
          return new Outcome.Retry(id, "not now", reply.delay());
        }
        case UNAVAILABLE -> {
          return new Outcome.Released(id);
        }
      }
    }
    history.arrived(id);
    return new Outcome.Delivered(id);
  }

  private Outcome rejected(String id) {
    history.mayDie(id);
    return new Outcome.Dead(id, "rejected");
  }
}
