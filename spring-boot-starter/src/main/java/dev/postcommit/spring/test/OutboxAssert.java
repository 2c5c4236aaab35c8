package dev.postcommit.spring.test;

import dev.postcommit.Event;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/** Assertions about what was written to a {@link RecordingOutbox}. */
public final class OutboxAssert extends AbstractAssert<OutboxAssert, RecordingOutbox> {

  OutboxAssert(RecordingOutbox actual) {
    super(actual, OutboxAssert.class);
  }

  /** The outbox contains an event of this type, which the next assertions are about. */
  public EventAssert wrote(String type) {
    List<Event> events = actual.events();
    return new EventAssert(this, events, events)
        .matching("type " + type, event -> event.type().equals(type));
  }

  /** The outbox contains events of exactly these types, in this order. */
  public OutboxAssert wroteOnly(String... types) {
    List<Event> events = actual.events();
    if (!events.stream().map(Event::type).toList().equals(List.of(types))) {
      fail("expected only events of the types %s%nbut %s", Arrays.asList(types), list(events));
    }
    return this;
  }

  /** The outbox contains no event. */
  public OutboxAssert wroteNothing() {
    List<Event> events = actual.events();
    if (!events.isEmpty()) {
      fail("expected no event%nbut %s", list(events));
    }
    return this;
  }

  private void fail(String message, Object... arguments) {
    failWithMessage(message, arguments);
  }

  /** The events written, for failure messages. */
  static String list(List<Event> events) {
    if (events.isEmpty()) {
      return "nothing was written";
    }
    return events.stream()
        .map(OutboxAssert::line)
        .collect(Collectors.joining("%n".formatted(), "these were written:%n".formatted(), ""));
  }

  private static String line(Event event) {
    StringBuilder line = new StringBuilder("  ").append(event.type());
    add(line, "key", event.key());
    if (!event.topic().equals(event.type())) {
      add(line, "topic", event.topic());
    }
    if (!event.headers().isEmpty()) {
      add(line, "headers", event.headers());
    }
    return line.append(", ").append(JsonTree.text(event.payload())).toString();
  }

  private static void add(StringBuilder line, String name, @Nullable Object value) {
    if (value != null) {
      line.append(", ").append(name).append(' ').append(value);
    }
  }
}
