package dev.postcommit.relay;

import dev.postcommit.Event;
import dev.postcommit.store.StoredEvent;

/**
 * Says which topic an event goes to. Safe for use by many threads.
 *
 * <p>An event that a router throws on is rejected: it becomes dead, and the others go on. Order is
 * kept among the events of one key that go to one topic.
 */
@FunctionalInterface
public interface Router {

  /** The topic for one event. */
  String topic(StoredEvent event);

  /** The topic recorded with the event; its type, where the layout keeps no topic. */
  static Router recorded() {
    return StoredEvent::topic;
  }

  /**
   * One topic for all events, which consumers tell apart by the header {@code event_type}.
   *
   * @throws IllegalArgumentException if {@code topic} is blank
   */
  static Router fixed(String topic) {
    if (topic.isBlank()) {
      throw new IllegalArgumentException("topic must not be blank");
    }
    return event -> topic;
  }

  /** A topic per event type, and of the same name. */
  static Router type() {
    return StoredEvent::type;
  }

  /**
   * The recorded topic after the namespace: with the separator {@code .}, {@code invoice.sent} in
   * the namespace {@code billing} goes to {@code billing.invoice.sent}. Topics of the namespace
   * {@value Event#DEFAULT_NAMESPACE} stay as they are.
   *
   * @throws IllegalArgumentException if {@code separator} is blank
   */
  static Router namespaced(String separator) {
    if (separator.isBlank()) {
      throw new IllegalArgumentException(
          "separator must not be blank; without one, two namespaces could share a topic");
    }
    return event ->
        event.namespace().equals(Event.DEFAULT_NAMESPACE)
            ? event.topic()
            : event.namespace() + separator + event.topic();
  }

  /**
   * A topic made from the event's fields, for example <code>
   * {namespace}.{aggregate_type}.{type}.v{version}</code>.
   *
   * <p>The placeholders are <code>{namespace}</code>, <code>{topic}</code>, <code>{type}</code>,
   * <code>{aggregate_type}</code>, <code>{tenant}</code> and <code>{version}</code>. An event that
   * lacks a field the template names is rejected.
   *
   * @throws IllegalArgumentException if the template is blank, or not made of text and these
   *     placeholders
   */
  static Router template(String template) {
    return new TopicTemplate(template);
  }
}
