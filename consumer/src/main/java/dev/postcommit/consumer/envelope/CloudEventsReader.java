package dev.postcommit.consumer.envelope;

import dev.postcommit.consumer.internal.json.IsoTime;
import dev.postcommit.consumer.internal.json.JsonFields;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.consumer.message.ReceivedMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads CloudEvents 1.0, binary as in the Kafka binding, or structured in JSON. */
final class CloudEventsReader implements EnvelopeReader {
  static final String CONTENT_TYPE = "content-type";
  static final String BINARY = "ce_specversion";
  static final String STRUCTURED = "application/cloudevents";

  private static final String PREFIX = "ce_";
  private static final String JSON = STRUCTURED + "+json";
  private static final String DATA_CONTENT_TYPE = "datacontenttype";
  private static final String DATA_BASE64 = "data_base64";
  private static final Set<String> NOT_METADATA =
      Set.of("specversion", "id", "type", "source", "time", "subject", "data", DATA_BASE64);

  @Override
  public ReceivedEvent<byte[]> read(ReceivedMessage message) {
    byte[] body = RelayHeaders.body(message);
    if (message.headers().containsKey(BINARY)) {
      return binary(message, body);
    }
    String form = contentType(message);
    if (form.startsWith(STRUCTURED) && !form.startsWith(JSON)) {
      throw JsonFields.wrong("the header " + CONTENT_TYPE, "not " + JSON);
    }
    return structured(message, JsonFields.of(body));
  }

  /** The content type of a message, or an empty string. */
  static String contentType(ReceivedMessage message) {
    String value = message.header(CONTENT_TYPE);
    return value == null ? "" : value.strip().toLowerCase(Locale.ROOT);
  }

  private static ReceivedEvent<byte[]> binary(ReceivedMessage message, byte[] body) {
    checkVersion(BINARY, message.header(BINARY));
    Map<String, String> metadata = new LinkedHashMap<>();
    message
        .headers()
        .forEach(
            (header, value) -> {
              String name = header.startsWith(PREFIX) ? header.substring(PREFIX.length()) : "";
              if (!name.isEmpty() && !NOT_METADATA.contains(name)) {
                metadata.put(name, value);
              }
            });
    String form = message.headers().get(CONTENT_TYPE);
    if (form != null) {
      metadata.put(DATA_CONTENT_TYPE, form);
    }
    String time = message.header(PREFIX + "time");
    return event(
        message,
        RelayHeaders.required(message, PREFIX + "id"),
        RelayHeaders.required(message, PREFIX + "type"),
        message.header(PREFIX + "source"),
        time == null ? null : IsoTime.read("the header ce_time", time),
        message.header(PREFIX + "subject"),
        metadata,
        body);
  }

  private static ReceivedEvent<byte[]> structured(ReceivedMessage message, JsonFields fields) {
    checkVersion("specversion", fields.string("specversion"));
    Map<String, String> metadata = new LinkedHashMap<>();
    for (String name : fields.names()) {
      String value = NOT_METADATA.contains(name) ? null : fields.scalar(name);
      if (value != null) {
        metadata.put(name, value);
      }
    }
    return event(
        message,
        fields.required("id"),
        fields.required("type"),
        fields.string("source"),
        fields.time("time"),
        fields.string("subject"),
        metadata,
        data(fields));
  }

  private static ReceivedEvent<byte[]> event(
      ReceivedMessage message,
      String id,
      String type,
      @Nullable String source,
      @Nullable Instant time,
      @Nullable String subject,
      Map<String, String> metadata,
      byte[] data) {
    return RelayHeaders.event(message, id, type, null, source, time, subject, metadata, data);
  }

  private static void checkVersion(String name, @Nullable String version) {
    if (version == null || !version.startsWith("1.")) {
      throw JsonFields.wrong(name, "not 1.0");
    }
  }

  private static byte[] data(JsonFields fields) {
    String encoded = fields.string(DATA_BASE64);
    if (encoded == null) {
      String text = holdsText(fields) ? fields.string("data") : null;
      return text == null ? fields.value("data") : text.getBytes(StandardCharsets.UTF_8);
    }
    if (fields.has("data")) {
      throw JsonFields.wrong("data", "there beside " + DATA_BASE64);
    }
    try {
      return Base64.getDecoder().decode(encoded);
    } catch (IllegalArgumentException e) {
      throw JsonFields.wrong(DATA_BASE64, "not base64");
    }
  }

  /** Whether {@code data} is text in a format other than JSON. */
  private static boolean holdsText(JsonFields fields) {
    String given = fields.string(DATA_CONTENT_TYPE);
    if (given == null || !fields.isString("data")) {
      return false;
    }
    String type = given.toLowerCase(Locale.ROOT).split(";", 2)[0].strip();
    return !type.endsWith("/json") && !type.endsWith("+json");
  }
}
