package dev.postcommit.consumer.internal.json;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.postcommit.consumer.message.PermanentFailureException;
import dev.postcommit.consumer.message.ReceivedEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the data of events. {@code byte[]} is the data unchanged and {@code String} is its text,
 * JSON or not; everything else is decoded from JSON by Jackson.
 */
public final class DataDecoder {
  private static final ObjectMapper DEFAULT =
      JsonMapper.builder()
          .findAndAddModules()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final Pattern FIELD = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,63}");

  private final ObjectMapper mapper;

  /** Decodes {@code java.time} and ignores unknown fields. */
  public DataDecoder() {
    this(DEFAULT);
  }

  /** Decodes with the user's mapper. */
  public DataDecoder(ObjectMapper mapper) {
    this.mapper = mapper;
  }

  /**
   * The data of an event.
   *
   * @throws PermanentFailureException if it does not decode into the class or is null, saying where
   *     and showing nothing of it
   */
  public <T> T decode(ReceivedEvent<byte[]> event, Class<T> as) {
    if (as == byte[].class) {
      return as.cast(event.data());
    }
    if (as == String.class) {
      return as.cast(new String(event.data(), StandardCharsets.UTF_8));
    }
    @Nullable T decoded;
    try {
      decoded = mapper.readValue(event.data(), as);
    } catch (InvalidDefinitionException e) {
      throw failure(
          event, as, ", which Jackson cannot construct; name a record, or a simple class");
    } catch (JacksonException e) {
      throw failure(event, as, place(e));
    } catch (IOException | RuntimeException | StackOverflowError e) {
      throw failure(event, as, "");
    }
    if (decoded == null) {
      throw failure(event, as, ": it is null");
    }
    return decoded;
  }

  private static PermanentFailureException failure(
      ReceivedEvent<byte[]> event, Class<?> as, String place) {
    return new PermanentFailureException(
        "data of %s does not decode into %s%s".formatted(event.type(), as.getName(), place));
  }

  private static String place(JacksonException e) {
    StringBuilder place = new StringBuilder();
    if (e instanceof JsonMappingException mapping) {
      mapping.getPath().forEach(reference -> place.append('/').append(name(reference)));
    }
    JsonLocation location = e.getLocation();
    if (location != null) {
      place
          .append(place.isEmpty() ? "" : " ")
          .append("(line %d, column %d)".formatted(location.getLineNr(), location.getColumnNr()));
    }
    return place.isEmpty() ? "" : ": at " + place;
  }

  /** The name of a field; keys of maps are content and not shown. */
  private static String name(JsonMappingException.Reference reference) {
    String name = reference.getFieldName();
    if (name == null) {
      return Integer.toString(reference.getIndex());
    }
    boolean shown = !(reference.getFrom() instanceof Map) && FIELD.matcher(name).matches();
    return shown ? name : "*";
  }
}
