package dev.postcommit.relay;

import dev.postcommit.PostcommitException;
import dev.postcommit.store.StoredEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes topics from the fields of events. */
final class TopicTemplate implements Router {
  private static final Map<String, Function<StoredEvent, @Nullable Object>> FIELDS = fields();
  private static final Pattern FIELD = Pattern.compile("\\{([^{}]*)}");

  /** Writes one part of the topic. */
  @FunctionalInterface
  private interface Part {
    void append(StoredEvent event, StringBuilder topic);
  }

  private final List<Part> parts = new ArrayList<>();

  TopicTemplate(String template) {
    if (template.isBlank()) {
      throw new IllegalArgumentException("the topic template must not be blank");
    }
    Matcher field = FIELD.matcher(template);
    int at = 0;
    while (field.find()) {
      text(template, template.substring(at, field.start()));
      field(template, field.group(1));
      at = field.end();
    }
    text(template, template.substring(at));
  }

  @Override
  public String topic(StoredEvent event) {
    StringBuilder topic = new StringBuilder(64);
    for (Part part : parts) {
      part.append(event, topic);
    }
    return topic.toString();
  }

  private void text(String template, String text) {
    if (text.contains("{") || text.contains("}")) {
      throw new IllegalArgumentException(
          "the topic template '" + template + "' has a brace without its partner");
    }
    if (!text.isEmpty()) {
      parts.add((event, topic) -> topic.append(text));
    }
  }

  private void field(String template, String name) {
    Function<StoredEvent, @Nullable Object> field = FIELDS.get(name);
    if (field == null) {
      throw new IllegalArgumentException(
          "the topic template '%s' has the unknown placeholder {%s}; there are %s"
              .formatted(
                  template,
                  name,
                  FIELDS.keySet().stream().collect(Collectors.joining("}, {", "{", "}"))));
    }
    parts.add((event, topic) -> topic.append(present(template, name, field.apply(event))));
  }

  private static Object present(String template, String name, @Nullable Object value) {
    if (value == null || value.toString().isBlank()) {
      throw new PostcommitException(
          "the topic template '%s' needs {%s}, which the event does not have"
              .formatted(template, name));
    }
    return value;
  }

  private static Map<String, Function<StoredEvent, @Nullable Object>> fields() {
    Map<String, Function<StoredEvent, @Nullable Object>> fields = new LinkedHashMap<>();
    fields.put("namespace", StoredEvent::namespace);
    fields.put("topic", StoredEvent::topic);
    fields.put("type", StoredEvent::type);
    fields.put("aggregate_type", StoredEvent::aggregateType);
    fields.put("tenant", StoredEvent::tenant);
    fields.put("version", StoredEvent::version);
    return fields;
  }
}
