package dev.postcommit.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.postcommit.RetryPolicy;
import dev.postcommit.support.DurationText;
import dev.postcommit.support.JsonBytes;
import dev.postcommit.support.Suggestion;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A registry declared in a JSON file; unknown fields are rejected. */
final class RegistryFile {
  private static final Set<String> FILE_FIELDS = Set.of("payloads", "events");
  private static final Set<String> EVENT_FIELDS =
      Set.of("type", "topic", "aggregateType", "payloadClass", "schema", "retry");
  private static final Set<String> RETRY_FIELDS = Set.of("maxAttempts", "baseDelay", "maxDelay");

  private final Path file;

  RegistryFile(Path file) {
    this.file = file;
  }

  EventRegistry read() {
    try {
      JsonNode root = Schemas.STRICT_JSON.readTree(text(file, "the file"));
      object(root, "the file", FILE_FIELDS);
      EventRegistry.Builder builder = EventRegistry.builder().payloads(payloads(root));
      JsonNode events = root.path("events");
      if (!events.isArray()) {
        throw new InvalidRegistryException("it has no list of events; add \"events\": [ … ]");
      }
      for (int i = 0; i < events.size(); i++) {
        builder.event(event(events.get(i), "events[" + i + "]"));
      }
      return builder.build();
    } catch (JsonProcessingException e) {
      throw new InvalidRegistryException(
          file + ": it is not valid JSON" + JsonBytes.place(e) + ": " + e.getOriginalMessage(), e);
    } catch (InvalidRegistryException e) {
      throw new InvalidRegistryException(file + ": " + e.getMessage(), e);
    }
  }

  private static PayloadForm payloads(JsonNode root) {
    String form = optionalText(root, "the file", "payloads");
    if (form == null || form.equals("plain")) {
      return PayloadForm.PLAIN;
    } else if (form.equals("stored-envelope")) {
      return PayloadForm.STORED_ENVELOPE;
    }
    throw new InvalidRegistryException(
        "payloads is '" + form + "'; it must be plain or stored-envelope");
  }

  private RegisteredEvent event(JsonNode node, String position) {
    if (!node.isObject()) {
      throw new InvalidRegistryException(position + " is no JSON object; make it one");
    }
    String type = optionalText(node, position, "type");
    if (type == null || type.isBlank()) {
      throw new InvalidRegistryException(position + " has no type; name the event type");
    }
    String where = "event type " + type;
    object(node, where, EVENT_FIELDS);
    String topic = optionalText(node, where, "topic");
    return new RegisteredEvent(
        type,
        topic == null ? "" : topic,
        optionalText(node, where, "aggregateType"),
        payloadClass(type, optionalText(node, where, "payloadClass")),
        schema(type, node.get("schema")),
        retry(type, node.get("retry")));
  }

  private static @Nullable RetryPolicy retry(String type, @Nullable JsonNode node) {
    if (node == null) {
      return null;
    }
    String where = "event type " + type + ": retry";
    object(node, where, RETRY_FIELDS);
    int maxAttempts = maxAttempts(node.path("maxAttempts"), where);
    try {
      return new RetryPolicy(
          maxAttempts, delay(node, where, "baseDelay"), delay(node, where, "maxDelay"));
    } catch (IllegalArgumentException e) {
      throw new InvalidRegistryException(where + ": " + e.getMessage() + "; correct it", e);
    }
  }

  private static int maxAttempts(JsonNode value, String where) {
    if (value.isTextual() && value.textValue().equals("unlimited")) {
      return RetryPolicy.UNLIMITED;
    }
    if (!value.canConvertToInt() || !value.isIntegralNumber() || value.intValue() < 1) {
      throw new InvalidRegistryException(
          where
              + ": maxAttempts is not a whole number of at least 1, nor \"unlimited\"; correct it");
    }
    return value.intValue();
  }

  private static Duration delay(JsonNode node, String where, String field) {
    String text = optionalText(node, where, field);
    if (text == null) {
      throw new InvalidRegistryException(
          where + " has no " + field + "; add one, for example \"" + field + "\": \"1s\"");
    }
    try {
      return DurationText.read(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidRegistryException(
          "%s: %s '%s' %s".formatted(where, field, text, e.getMessage()), e);
    }
  }

  private static void object(JsonNode node, String where, Set<String> known) {
    if (!node.isObject()) {
      throw new InvalidRegistryException(where + " holds no JSON object; make it one");
    }
    for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!known.contains(name)) {
        throw new InvalidRegistryException(
            "%s: unknown field %s%s; there are %s"
                .formatted(
                    where,
                    name,
                    Suggestion.didYouMean(name, known),
                    String.join(", ", new TreeSet<>(known))));
      }
    }
  }

  private static @Nullable String optionalText(JsonNode node, String where, String field) {
    JsonNode value = node.get(field);
    if (value == null) {
      return null;
    }
    if (!value.isTextual()) {
      throw new InvalidRegistryException(where + ": " + field + " is no string; make it one");
    }
    return value.textValue();
  }

  private static @Nullable Class<?> payloadClass(String type, @Nullable String name) {
    if (name == null) {
      return null;
    }
    try {
      ClassLoader context = Thread.currentThread().getContextClassLoader();
      return Class.forName(
          name, false, context != null ? context : RegistryFile.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      throw RegisteredEvent.refused(
          type,
          "its payload class "
              + name
              + " cannot be loaded; add its jar to the class path, or give a schema instead",
          e);
    }
  }

  private @Nullable String schema(String type, @Nullable JsonNode schema) {
    if (schema == null) {
      return null;
    }
    if (!schema.isTextual()) {
      return schema.toString();
    }
    Path path = file.resolveSibling(schema.textValue());
    return text(path, "event type " + type + ": its schema");
  }

  private static String text(Path path, String what) {
    try {
      return Files.readString(path);
    } catch (NoSuchFileException e) {
      throw new InvalidRegistryException(what + " is not there: " + path + "; correct the path", e);
    } catch (CharacterCodingException e) {
      throw new InvalidRegistryException(what + " is not text in UTF-8: " + path, e);
    } catch (IOException e) {
      throw new InvalidRegistryException(what + " cannot be read: " + path, e);
    }
  }
}
