package dev.postcommit.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The description of operators' requests, by which answers are checked. */
public final class OpenApiDocument {
  private static final String PROBLEM = "/components/responses/Problem";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final JsonNode root;

  private OpenApiDocument(JsonNode root) {
    this.root = root;
  }

  /** The one that is served. */
  public static OpenApiDocument read() {
    try (InputStream in = OpenApiDocument.class.getResourceAsStream("openapi.yaml")) {
      return new OpenApiDocument(new YAMLMapper().readTree(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  JsonNode at(String pointer) {
    return root.at(pointer);
  }

  /** All requests, as {@code GET /path}, with what is said of each. */
  Map<String, JsonNode> operations() {
    Map<String, JsonNode> operations = new TreeMap<>();
    for (Map.Entry<String, JsonNode> path : root.at("/paths").properties()) {
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        if (!operation.getKey().equals("parameters")) {
          String method = operation.getKey().toUpperCase(Locale.ROOT);
          operations.put(method + " " + path.getKey(), operation.getValue());
        }
      }
    }
    return operations;
  }

  /** Names of the parameters of a request, as {@code query limit}. */
  List<String> parameters(String operation) {
    String path = operation.substring(operation.indexOf(' ') + 1);
    List<String> names = new ArrayList<>();
    for (JsonNode list :
        List.of(
            root.at("/paths").path(path).path("parameters"),
            operations().get(operation).path("parameters"))) {
      list.forEach(
          parameter -> {
            JsonNode resolved = resolve(parameter);
            names.add(resolved.path("in").asText() + " " + resolved.path("name").asText());
          });
    }
    return names;
  }

  /** Whether the description knows a path, as {@code /api/v1/relays/default/status}. */
  public boolean knows(String method, String path) {
    return operation(method, path).isPresent();
  }

  /** Checks an answer, and the request if it was granted. */
  public void check(
      String method, String path, String request, int status, String contentType, byte[] answer) {
    Optional<JsonNode> operation = operation(method, path);
    if (status >= 300 || operation.isEmpty()) {
      assertThat(status).as("%s %s", method, path).isGreaterThanOrEqualTo(400);
      checkContent(root.at(PROBLEM), contentType, answer);
      return;
    }
    checkContent(operation.get().at("/responses/" + status), contentType, answer);
    JsonNode body = operation.get().path("requestBody");
    if (!body.isMissingNode()) {
      checkContent(body, "application/json", request.getBytes(UTF_8));
    }
  }

  private void checkContent(JsonNode described, String contentType, byte[] content) {
    JsonNode schema = described.path("content").path(contentType).path("schema");
    assertThat(schema.isObject()).as("%s is in %s", contentType, described).isTrue();
    if (contentType.endsWith("json")) {
      try {
        assertThat(schema(schema).validate(JSON.readTree(content))).isEmpty();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** A schema with all that it may refer to. */
  private Schema schema(JsonNode schema) {
    ObjectNode whole = ((ObjectNode) schema).deepCopy();
    whole.set("components", root.path("components"));
    SchemaRegistryConfig config =
        SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build();
    return SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12, builder -> builder.schemaRegistryConfig(config))
        .getSchema(whole);
  }

  /** What is said of a request; a path without variables goes before one with them. */
  private Optional<JsonNode> operation(String method, String path) {
    String plain = path.replaceFirst("[?].*", "");
    return operations().entrySet().stream()
        .filter(operation -> operation.getKey().startsWith(method + " "))
        .filter(operation -> matches(operation.getKey().substring(method.length() + 1), plain))
        .min(Comparator.comparing(operation -> operation.getKey().contains("{id}")))
        .map(Map.Entry::getValue);
  }

  private static boolean matches(String template, String path) {
    return Pattern.matches(template.replaceAll("\\{\\w+}", "[^/]+"), path);
  }

  private JsonNode resolve(JsonNode node) {
    String reference = node.path("$ref").asText();
    return reference.isEmpty() ? node : root.at(reference.substring(1));
  }
}
