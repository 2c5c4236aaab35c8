package dev.postcommit.spring.consumer;

import dev.postcommit.InvalidPayloadException;
import dev.postcommit.PayloadDeserializer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Reads objects from JSON by Jackson 3. Fields that a class does not know are let through. */
final class JsonPayloads implements PayloadDeserializer {
  private final JsonMapper mapper;

  /**
   * Reads as {@code mapper} does, except that a record without one of its components is refused.
   */
  JsonPayloads(JsonMapper mapper) {
    this.mapper =
        mapper
            .rebuild()
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
  }

  @Override
  public <T> T deserialize(byte[] payload, Class<T> type) {
    @Nullable T read;
    try {
      read = mapper.readValue(payload, type);
    } catch (JacksonException e) {
      throw invalid(type, place(e));
    }
    if (read == null) {
      throw invalid(type, ": it is null");
    }
    return read;
  }

  private static InvalidPayloadException invalid(Class<?> type, String place) {
    return new InvalidPayloadException(
        "the payload does not decode into %s%s".formatted(type.getName(), place));
  }

  /** Where it does not fit, without what is there. */
  private static String place(JacksonException e) {
    TokenStreamLocation location = e.getLocation();
    return location == null
        ? ""
        : ", at (line %d, column %d)".formatted(location.getLineNr(), location.getColumnNr());
  }
}
