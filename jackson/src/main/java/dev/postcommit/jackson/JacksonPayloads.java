package dev.postcommit.jackson;

import dev.postcommit.InvalidPayloadException;
import dev.postcommit.Payload;
import dev.postcommit.PayloadDeserializer;
import dev.postcommit.PayloadSerializer;
import dev.postcommit.support.ErrorText;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes objects as JSON and reads them back, with Jackson 3.
 *
 * <pre>{@code
 * Outbox.builder(layout).payloadSerializer(JacksonPayloads.create()).build()
 * }</pre>
 *
 * <p>What it reads must fit: a component of a record that is missing or null is an error unless it
 * is an {@code Optional} or has an annotation named {@code Nullable} that is kept at run time. That
 * holds for records within records, collections, maps and arrays too. Records of Kotlin are left to
 * the mapper's Kotlin module.
 *
 * <p>Safe for use by many threads.
 */
public final class JacksonPayloads implements PayloadSerializer, PayloadDeserializer {
  private static final Pattern FIELD = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,63}");

  private final JsonMapper mapper;

  private JacksonPayloads(JsonMapper mapper) {
    this.mapper = Objects.requireNonNull(mapper, "mapper");
  }

  /** With Jackson's defaults, and all Jackson modules on the class path. */
  public static JacksonPayloads create() {
    return of(JsonMapper.builder().findAndAddModules().build());
  }

  /** With an application's mapper, and so its naming strategy and modules. */
  public static JacksonPayloads of(JsonMapper mapper) {
    return new JacksonPayloads(mapper);
  }

  @Override
  public Payload serialize(Object object) {
    String json;
    try {
      json = mapper.writeValueAsString(object);
    } catch (InvalidDefinitionException e) {
      // Its message is about classes.
      throw new InvalidPayloadException("Jackson: " + e.getOriginalMessage() + place(e));
    } catch (JacksonException e) {
      throw new InvalidPayloadException("Jackson: " + ErrorText.withoutMessage(e) + place(e));
    }
    return Payload.json(json);
  }

  @Override
  public <T> T deserialize(byte[] payload, Class<T> type) {
    @Nullable T value;
    try {
      value =
          mapper
              .readerFor(type)
              .with(
                  DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
                  DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
              .readValue(payload);
    } catch (InvalidDefinitionException e) {
      throw unfit(type, ", which Jackson cannot construct; name a record, or a simple class");
    } catch (JacksonException e) {
      boolean refused = e.getCause() != null;
      throw unfit(type, place(e) + (refused ? ": " + ErrorText.withoutMessage(e) : ""));
    } catch (RuntimeException | StackOverflowError e) {
      throw unfit(type, ": " + ErrorText.withoutMessage(e));
    }
    if (value == null) {
      throw unfit(type, ": it is null");
    }
    @Nullable String missing = new RequiredComponents().missing(value);
    if (missing != null) {
      throw unfit(
          type,
          ": %s is missing or null; mark it @Nullable if it may be, or check how fields are named"
              .formatted(missing));
    }
    return value;
  }

  private static InvalidPayloadException unfit(Class<?> type, String why) {
    return new InvalidPayloadException("the payload does not decode into " + type.getName() + why);
  }

  private static String place(JacksonException e) {
    StringBuilder place = new StringBuilder();
    e.getPath().forEach(reference -> place.append('/').append(name(reference)));
    @Nullable TokenStreamLocation location = e.getLocation();
    if (location != null && location.getLineNr() > 0) {
      place
          .append(place.isEmpty() ? "" : " ")
          .append("(line %d, column %d)".formatted(location.getLineNr(), location.getColumnNr()));
    }
    return place.isEmpty() ? "" : ", at " + place;
  }

  /** The name of a field; keys of maps are content and not shown. */
  private static String name(JacksonException.Reference reference) {
    @Nullable String name = reference.getPropertyName();
    if (name == null) {
      return Integer.toString(reference.getIndex());
    }
    boolean shown = !(reference.from() instanceof Map) && FIELD.matcher(name).matches();
    return shown ? name : "*";
  }
}
