package dev.postcommit.examples.packfinderz;

import dev.postcommit.relay.Message;
import dev.postcommit.testkit.pubsub.PubSubReader;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Whether each committed change has led to exactly one right notification, and nothing else has.
 *
 * @param problems what is wrong; empty if nothing
 * @param summary the figures in a line
 */
record Verdict(List<String> problems, String summary) {
  private static final Duration LONGEST_MARK = Duration.ofDays(30);

  /** Compares the tables, the topic and Redis with what was committed at the desk. */
  static Verdict of(World world, List<String> expected) throws SQLException {
    List<String> problems = new ArrayList<>();
    List<String> found = Sql.list(world.database(), "SELECT " + Desk.LINE + " FROM notifications");
    difference(expected, found).forEach(line -> problems.add("missing: " + line));
    difference(found, expected).forEach(line -> problems.add("not asked for: " + line));

    List<String> published =
        Sql.list(world.database(), "SELECT id FROM outbox_events WHERE published_at IS NOT NULL");
    long events = Sql.number(world.database(), "SELECT count(*) FROM outbox_events");
    if (events != expected.size() || published.size() != events) {
      problems.add(
          "%d changes, %d events, %d of them published"
              .formatted(expected.size(), events, published.size()));
    }

    List<Message> messages = PubSubReader.read(world.pubsub(), World.AUDIT, published.size());
    Set<String> sent = new HashSet<>();
    messages.forEach(
        message -> sent.add(Objects.requireNonNull(message.headers().get("event_id"))));
    if (!sent.equals(Set.copyOf(published))) {
      problems.add("messages of " + sent + ", but published are " + published);
    }
    int repeated = messages.size() - sent.size();
    if (repeated == 0) {
      problems.add("no event was published twice, which was to be shown");
    }

    Marks marks = new Marks(world.redisClient());
    for (String id : published) {
      long left = marks.secondsLeft(id);
      if (left <= 0 || left > LONGEST_MARK.toSeconds()) {
        problems.add("the mark %s has %d s left".formatted(Marks.key(id), left));
      }
    }
    return new Verdict(
        problems,
        ("%d license changes, %d notifications, each once and with the right text; %d events,"
                + " %d messages, %d of them duplicates; nothing of what was rolled back or refused")
            .formatted(expected.size(), found.size(), events, messages.size(), repeated));
  }

  /** What of {@code some} is not in {@code others}, as often as it is there. */
  private static List<String> difference(List<String> some, List<String> others) {
    List<String> left = new ArrayList<>(some);
    others.forEach(left::remove);
    return left;
  }
}
