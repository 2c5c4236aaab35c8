package dev.postcommit.testkit.pubsub.engine;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.Set;

/** Refuses settings that this server would otherwise have to ignore. */
final class Unsupported {

  private static final Set<String> TOPIC =
      Set.of("name", "labels", "message_retention_duration", "state");

  private static final Set<String> SUBSCRIPTION =
      Set.of(
          "name",
          "topic",
          "labels",
          "ack_deadline_seconds",
          "enable_message_ordering",
          "message_retention_duration",
          "expiration_policy",
          "topic_message_retention_duration",
          "state");

  private Unsupported() {}

  static void check(com.google.pubsub.v1.Topic topic) {
    check("Topic", topic, TOPIC);
  }

  static void check(com.google.pubsub.v1.Subscription subscription) {
    check("Subscription", subscription, SUBSCRIPTION);
  }

  private static void check(String type, Message settings, Set<String> supported) {
    for (FieldDescriptor field : settings.getAllFields().keySet()) {
      if (!supported.contains(field.getName()) && !isDefault(settings, field)) {
        throw Refusals.unsupported(type + "." + field.getName());
      }
    }
  }

  /** Clients may send an empty {@code push_config}, which says that there is none. */
  private static boolean isDefault(Message settings, FieldDescriptor field) {
    return !field.isRepeated()
        && settings.getField(field) instanceof Message value
        && value.equals(value.getDefaultInstanceForType());
  }
}
