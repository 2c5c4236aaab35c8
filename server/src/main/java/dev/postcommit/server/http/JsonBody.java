package dev.postcommit.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.postcommit.store.Decision;
import dev.postcommit.support.JsonBytes;
import dev.postcommit.support.Suggestion;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.http.HttpStatus;

/**
 * The body of a request: one JSON object of strings, numbers, booleans and lists of strings.
 *
 * <p>It is read strictly. A field that is not known, is there twice or is null could make a request
 * mean more events than its author thought.
 */
final class JsonBody {

  /** The largest body. */
  static final int MOST_BYTES = 1 << 20;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CHARSET_DETECTION)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  private final Map<String, Object> fields = new LinkedHashMap<>();

  private JsonBody() {}

  /**
   * Reads a body.
   *
   * @param known the fields it may have
   * @throws RequestException if it is too large, no such object, or has other fields
   */
  static JsonBody read(InputStream in, Set<String> known) throws IOException {
    byte[] bytes = bytes(in);
    if (bytes.length > MOST_BYTES) {
      throw new RequestException(
          HttpStatus.CONTENT_TOO_LARGE,
          "the body is larger than %d bytes; name events by a filter, or fewer at a time"
              .formatted(MOST_BYTES));
    }
    JsonBody body = new JsonBody();
    try (JsonParser parser = FACTORY.createParser(bytes)) {
      body.read(parser, known);
    } catch (JsonProcessingException e) {
      throw RequestException.badRequest(
          "the body is not one JSON object" + JsonBytes.place(e) + "; correct it");
    }
    return body;
  }

  private static byte[] bytes(InputStream in) {
    try {
      return in.readNBytes(MOST_BYTES + 1);
    } catch (IOException e) {
      throw RequestException.badRequest("the body could not be read to its end; send it again");
    }
  }

  private void read(JsonParser parser, Set<String> known) throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw RequestException.badRequest(
          "the body must be a JSON object; it may have " + names(known));
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      if (!known.contains(name)) {
        throw RequestException.badRequest(
            "unknown field " + name + Suggestion.didYouMean(name, known));
      }
      fields.put(name, value(name, parser));
    }
    if (parser.nextToken() != null) {
      throw RequestException.badRequest("the body is more than one JSON object; send one");
    }
  }

  private static String names(Set<String> known) {
    return String.join(", ", known.stream().sorted().toList());
  }

  private static Object value(String name, JsonParser parser) throws IOException {
    return switch (parser.nextToken()) {
      case VALUE_STRING -> RequestValues.text(name, parser.getText());
      case VALUE_NUMBER_INT -> parser.getBigIntegerValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case START_ARRAY -> texts(name, parser);
      case VALUE_NULL -> throw RequestException.badRequest(name + " is null; leave it out instead");
      default ->
          throw RequestException.badRequest(name + " is not what GET /openapi.yaml says it is");
    };
  }

  private static List<String> texts(String name, JsonParser parser) throws IOException {
    List<String> texts = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() != JsonToken.VALUE_STRING) {
        throw RequestException.badRequest(name + " must be a list of texts and nothing else");
      }
      texts.add(RequestValues.text(name, parser.getText()));
    }
    if (texts.isEmpty()) {
      throw RequestException.badRequest(
          name + " is an empty list; leave it out, or name something");
    }
    return texts;
  }

  /** A text. */
  Optional<String> text(String name) {
    return get(name, String.class, "a text in quotes");
  }

  /** A text that is not blank. */
  Optional<String> words(String name) {
    Optional<String> text = text(name);
    if (text.filter(String::isBlank).isPresent()) {
      throw RequestException.badRequest(name + " is blank; say something");
    }
    return text;
  }

  /** A list of texts; empty if it is missing. */
  List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    for (Object text : get(name, List.class, "a list of texts").orElse(List.of())) {
      texts.add((String) text);
    }
    return texts;
  }

  /** Whether the value is true. */
  boolean flag(String name) {
    return get(name, Boolean.class, "true or false").orElse(false);
  }

  /** A number from one to {@code most}. */
  Optional<Integer> number(String name, int most) {
    return get(name, BigInteger.class, "a whole number")
        .map(number -> RequestValues.number(name, number.toString(), most));
  }

  /** The operator, required for every request that changes something. */
  String operator() {
    return words("operator")
        .orElseThrow(
            () -> RequestException.badRequest("operator is missing; say who decides, it is kept"));
  }

  /** The operator's decision, with a reason if one is required. */
  Decision decision(boolean needsReason) {
    Decision decision = new Decision(operator(), words("reason").orElse(null));
    if (needsReason && decision.reason() == null) {
      throw RequestException.badRequest("reason is missing; say why, it is kept");
    }
    return decision;
  }

  private <T> Optional<T> get(String name, Class<T> type, String looks) {
    Object value = fields.get(name);
    if (value != null && !type.isInstance(value)) {
      throw RequestException.badRequest(name + " must be " + looks);
    }
    return Optional.ofNullable(value).map(type::cast);
  }
}
