package dev.postcommit.spring.test;

import dev.postcommit.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.assertj.core.api.Assertions;

/** Assertions about one event that was written to a {@link RecordingOutbox}. */
public final class EventAssert {
  private final OutboxAssert outbox;
  private final List<Event> all;
  private final List<Event> left;
  private final List<String> said;

  EventAssert(OutboxAssert outbox, List<Event> all, List<Event> left) {
    this(outbox, all, left, List.of());
  }

  private EventAssert(OutboxAssert outbox, List<Event> all, List<Event> left, List<String> said) {
    this.outbox = outbox;
    this.all = all;
    this.left = left;
    this.said = said;
  }

  /** Its key. */
  public EventAssert withKey(String key) {
    return matching("key " + key, event -> Objects.equals(event.key(), key));
  }

  /** The topic recorded with it. */
  public EventAssert withTopic(String topic) {
    return matching("topic " + topic, event -> event.topic().equals(topic));
  }

  /** Its aggregate. */
  public EventAssert withAggregate(String type, String id) {
    return matching(
        "aggregate " + type + " " + id,
        event -> type.equals(event.aggregateType()) && id.equals(event.aggregateId()));
  }

  /** One of its headers. */
  public EventAssert withHeader(String name, String value) {
    return matching(
        "header " + name + "=" + value, event -> value.equals(event.headers().get(name)));
  }

  /** Its payload; whitespace and the order of fields do not matter. */
  public EventAssert withJson(String json) {
    Object expected = JsonTree.of(json);
    return matching("json " + json, event -> expected.equals(JsonTree.of(event.payload())));
  }

  /** Any other check, which fails with an AssertionError. */
  public EventAssert satisfying(Consumer<Event> check) {
    for (Event event : left) {
      try {
        check.accept(event);
        return matching("what was asked", other -> other.id().equals(event.id()));
      } catch (AssertionError e) {
        if (left.size() == 1) {
          throw e;
        }
      }
    }
    return matching("what was asked", event -> false);
  }

  /** Continues with another event. */
  public OutboxAssert and() {
    return outbox;
  }

  EventAssert matching(String what, Predicate<Event> predicate) {
    List<String> wanted = new ArrayList<>(said);
    wanted.add(what);
    List<Event> matching = left.stream().filter(predicate).toList();
    if (matching.isEmpty()) {
      String failure =
          "expected an event with %s%nbut %s"
              .formatted(String.join(", ", wanted), OutboxAssert.list(all));
      Assertions.fail(failure);
    }
    return new EventAssert(outbox, all, matching, wanted);
  }
}
