package dev.postcommit.registry;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.networknt.schema.Schema;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A compiled contract, against which the content of events is checked. */
record Contract(RegisteredEvent event, @Nullable ObjectReader reader, @Nullable Schema schema) {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .findAndAddModules()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private static final ObjectReader TREE =
      MAPPER.reader(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).with(new ExactNumbers());

  private static final Pattern FIELD = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,63}");

  static Contract of(RegisteredEvent event) {
    String schema = event.schema();
    return new Contract(event, reader(event), schema == null ? null : Schemas.compile(event));
  }

  /** The problem with the content at the parser's position, or null if there is none. */
  @Nullable String problem(JsonParser parser) throws IOException {
    parser.setCodec(MAPPER);
    try {
      return schema == null ? decodingProblem(parser) : problem(schema, parser);
    } catch (StackOverflowError e) {
      return "the payload is nested too deeply to be checked";
    }
  }

  private @Nullable String problem(Schema compiled, JsonParser parser) throws IOException {
    JsonNode content;
    try {
      content = TREE.readTree(parser);
    } catch (ArithmeticException e) {
      return "the payload holds a number too large or too small to be checked";
    }
    String problem = Schemas.problem(compiled, content);
    return problem != null || reader == null ? problem : decodingProblem(content.traverse(MAPPER));
  }

  private @Nullable String decodingProblem(JsonParser parser) throws IOException {
    try {
      return reader == null || reader.readValue(parser) != null ? null : notDecoded("");
    } catch (JsonMappingException e) {
      return notDecoded(path(e.getPath()));
    } catch (RuntimeException e) {
      return notDecoded("");
    }
  }

  private String notDecoded(String path) {
    Class<?> type = event.payloadClass();
    return "the payload does not decode into %s%s"
        .formatted(type == null ? "JSON" : type.getName(), path.isEmpty() ? "" : " at " + path);
  }

  /** The names of fields; keys of maps are content and not shown. */
  private static String path(List<JsonMappingException.Reference> references) {
    StringBuilder path = new StringBuilder();
    for (JsonMappingException.Reference reference : references) {
      String name = reference.getFieldName();
      if (name == null) {
        path.append('[').append(reference.getIndex()).append(']');
      } else {
        boolean shown = !(reference.getFrom() instanceof Map) && FIELD.matcher(name).matches();
        path.append(path.isEmpty() ? "" : ".").append(shown ? name : "*");
      }
    }
    return path.toString();
  }

  private static @Nullable ObjectReader reader(RegisteredEvent event) {
    Class<?> type = event.payloadClass();
    if (type == null) {
      return null;
    }
    ObjectReader reader = MAPPER.readerFor(type);
    try {
      reader.readValue("{}");
    } catch (InvalidDefinitionException e) {
      throw RegisteredEvent.refused(
          event.type(),
          "its payload class "
              + type.getName()
              + " cannot be decoded from JSON; name a record, or"
              + " a class that Jackson can construct",
          e);
    } catch (IOException | RuntimeException e) {
      // The class requires more than {}, which is allowed.
      return reader;
    }
    return reader;
  }
}
