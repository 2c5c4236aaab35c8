package dev.postcommit.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import dev.postcommit.support.JsonBytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compiles JSON Schemas and reports where content violates them. */
final class Schemas {
  /** Rejects what JSON leaves open: more than one value, and repeated fields. */
  static final ObjectReader STRICT_JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .build()
          .reader();

  private static final SchemaRegistryConfig CONFIG =
      SchemaRegistryConfig.builder().failFast(true).formatAssertionsEnabled(true).build();

  private Schemas() {}

  /** The schema of an event that has one. */
  static Schema compile(RegisteredEvent event) {
    JsonNode node = parse(event);
    try {
      checkAgainstMetaSchema(event, node);
      Schema schema = registry().getSchema(node);
      schema.initializeValidators();
      schema.validate(STRICT_JSON.createObjectNode());
      return schema;
    } catch (InvalidRegistryException e) {
      throw e;
    } catch (RuntimeException e) {
      throw RegisteredEvent.refused(
          event.type(),
          "its schema cannot be used: "
              + e.getMessage()
              + "; references must lead into the schema itself",
          e);
    } catch (StackOverflowError e) {
      throw RegisteredEvent.refused(event.type(), "its schema refers to itself; correct it", e);
    }
  }

  /** Where the content violates the schema, in terms of the schema; null if it does not. */
  static @Nullable String problem(Schema schema, JsonNode content) {
    List<Error> errors;
    try {
      errors = schema.validate(content);
    } catch (RuntimeException e) {
      // Its message might show parts of the content.
      return "the payload could not be checked against its schema: " + e.getClass().getName();
    }
    if (errors.isEmpty()) {
      return null;
    }
    Error first = errors.get(0);
    String place = "the payload breaks its schema at " + first.getEvaluationPath();
    return "required".equals(first.getKeyword()) && first.getProperty() != null
        ? place + ": " + first.getProperty() + " is missing"
        : place;
  }

  private static JsonNode parse(RegisteredEvent event) {
    JsonNode node;
    try {
      node = STRICT_JSON.readTree(String.valueOf(event.schema()));
    } catch (JsonProcessingException e) {
      throw RegisteredEvent.refused(
          event.type(), "its schema is not valid JSON" + JsonBytes.place(e) + "; correct it", e);
    }
    if (!node.isObject() && !node.isBoolean()) {
      throw RegisteredEvent.refused(
          event.type(), "its schema is neither a JSON object nor true or false; correct it");
    }
    return node;
  }

  private static void checkAgainstMetaSchema(RegisteredEvent event, JsonNode node) {
    String dialect = node.path("$schema").asText(SpecificationVersion.DRAFT_2020_12.getDialectId());
    if (SpecificationVersion.fromDialectId(dialect).isEmpty()) {
      throw RegisteredEvent.refused(
          event.type(),
          "its $schema is not known; name a published draft from 4 to 2020-12, or leave it out");
    }
    Schema metaSchema = registry().getSchema(SchemaLocation.of(dialect));
    List<Error> errors = metaSchema.validate(node);
    if (!errors.isEmpty()) {
      throw RegisteredEvent.refused(
          event.type(),
          "its schema is not valid: %s: %s; correct it"
              .formatted(errors.get(0).getInstanceLocation(), errors.get(0).getMessage()));
    }
  }

  /** A registry that loads schemas only from its own jar. */
  private static SchemaRegistry registry() {
    return SchemaRegistry.withDefaultDialect(
        SpecificationVersion.DRAFT_2020_12, builder -> builder.schemaRegistryConfig(CONFIG));
  }
}
