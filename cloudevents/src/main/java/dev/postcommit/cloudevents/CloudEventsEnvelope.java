package dev.postcommit.cloudevents;

import dev.postcommit.envelope.Attributes;
import dev.postcommit.envelope.Envelope;
import dev.postcommit.relay.Message;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.support.JsonBytes;
import io.cloudevents.CloudEvent;
import io.cloudevents.SpecVersion;
import io.cloudevents.core.CloudEventUtils;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.core.v1.CloudEventV1;
import io.cloudevents.jackson.JsonFormat;
import io.cloudevents.rw.CloudEventContextWriter;
import java.net.URI;
import java.time.ZoneOffset;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Envelopes that make every event a CloudEvent 1.0.
 *
 * <pre>{@code
 * Relay.builder(dataSource, publisher)
 *     .envelope(CloudEventsEnvelope.binary(URI.create("/orders")))
 * }</pre>
 *
 * <table>
 * <caption>Attributes and where they come from</caption>
 * <tr><td>{@code id}</td><td>the event's id</td></tr>
 * <tr><td>{@code source}</td><td>as given</td></tr>
 * <tr><td>{@code type}</td><td>the event's type</td></tr>
 * <tr><td>{@code time}</td><td>when the event was created</td></tr>
 * <tr><td>{@code subject}</td><td>the aggregate id, if there is one</td></tr>
 * <tr><td>{@code datacontenttype}</td><td>{@code application/json} if the payload is one JSON
 * value, else {@code application/octet-stream}</td></tr>
 * <tr><td>{@code partitionkey}</td><td>the event's key, if it has one</td></tr>
 * <tr><td>{@code traceparent}</td><td>the event's header of that name, if it has one</td></tr>
 * </table>
 *
 * <p>Messages also have the headers of {@link Attributes}.
 */
public final class CloudEventsEnvelope {
  private static final String CONTENT_TYPE = "content-type";
  private static final String PREFIX = "ce_";
  private static final String TRACEPARENT = "traceparent";
  private static final JsonFormat FORMAT = new JsonFormat();

  private CloudEventsEnvelope() {}

  /**
   * Binary mode: the body is the payload as it was written, and the attributes are headers named as
   * in the Kafka binding: {@code content-type}, and {@code ce_id}, {@code ce_type} and so on.
   *
   * @param source the origin of the events; their ids are unique together with it
   * @throws IllegalArgumentException if {@code source} is empty
   */
  public static Envelope binary(URI source) {
    checkSource(source);
    return (event, topic) -> {
      Map<String, String> headers = Attributes.of(event);
      headers.put(PREFIX + "specversion", SpecVersion.V1.toString());
      CloudEventUtils.toContextReader(cloudEvent(source, event)).readContext(writer(headers));
      return new Message(topic, event.key(), headers, event.payload());
    };
  }

  /**
   * Structured mode: the body is a JSON object of attributes and data, of the content type {@code
   * application/cloudevents+json}. A JSON payload is its {@code data}, byte for byte; any other is
   * its {@code data_base64}.
   *
   * @param source the origin of the events; their ids are unique together with it
   * @throws IllegalArgumentException if {@code source} is empty
   */
  public static Envelope structured(URI source) {
    checkSource(source);
    return (event, topic) -> {
      Map<String, String> headers = Attributes.of(event);
      headers.put(CONTENT_TYPE, JsonFormat.CONTENT_TYPE);
      byte[] body = FORMAT.serialize(cloudEvent(source, event));
      return new Message(topic, event.key(), headers, body);
    };
  }

  private static CloudEvent cloudEvent(URI source, StoredEvent event) {
    CloudEventBuilder builder =
        CloudEventBuilder.v1()
            .withId(event.id())
            .withSource(source)
            .withType(event.type())
            .withTime(event.createdAt().atOffset(ZoneOffset.UTC))
            .withData(contentType(event.payload()), event.payload());
    if (isPresent(event.aggregateId())) {
      builder.withSubject(event.aggregateId());
    }
    if (isPresent(event.key())) {
      builder.withExtension("partitionkey", event.key());
    }
    if (isPresent(event.headers().get(TRACEPARENT))) {
      builder.withExtension(TRACEPARENT, event.headers().get(TRACEPARENT));
    }
    return builder.build();
  }

  private static CloudEventContextWriter writer(Map<String, String> headers) {
    return new CloudEventContextWriter() {
      @Override
      public CloudEventContextWriter withContextAttribute(String name, String value) {
        headers.put(
            name.equals(CloudEventV1.DATACONTENTTYPE) ? CONTENT_TYPE : PREFIX + name, value);
        return this;
      }
    };
  }

  private static String contentType(byte[] payload) {
    return JsonBytes.isJson(payload) ? "application/json" : "application/octet-stream";
  }

  private static boolean isPresent(@Nullable String text) {
    return text != null && !text.isEmpty();
  }

  private static void checkSource(URI source) {
    if (source.toString().isEmpty()) {
      throw new IllegalArgumentException(
          "source must not be empty; name the origin of the events, for example /orders");
    }
  }
}
