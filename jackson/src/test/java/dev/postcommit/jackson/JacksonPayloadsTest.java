package dev.postcommit.jackson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.InvalidPayloadException;
import dev.postcommit.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** What becomes of objects, and what objects are read from. */
class JacksonPayloadsTest {
  private static final JacksonPayloads PAYLOADS = JacksonPayloads.create();

  private static final JacksonPayloads SNAKE_CASE =
      JacksonPayloads.of(
          JsonMapper.builder()
              .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
              .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
              .build());

  record Line(String articleId, int amount) {}

  record OrderPlaced(
      String orderId,
      BigDecimal total,
      Instant placedAt,
      List<Line> lines,
      @Nullable String note,
      Optional<Line> gift) {}

  private static final OrderPlaced ORDER =
      new OrderPlaced(
          "42",
          new BigDecimal("10.50"),
          Instant.parse("2026-11-19T12:00:00Z"),
          List.of(new Line("a", 1)),
          null,
          Optional.empty());

  private static String text(Payload payload) {
    assertThat(payload.format()).isEqualTo(Payload.Format.JSON);
    return new String(payload.bytes(), UTF_8);
  }

  private static <T> T read(String json, Class<T> type) {
    return PAYLOADS.deserialize(json.getBytes(UTF_8), type);
  }

  private static void unfit(String json, Class<?> type, String... parts) {
    assertThatThrownBy(() -> read(json, type))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageStartingWith("the payload does not decode into " + type.getName())
        .hasMessageContainingAll(parts)
        .hasMessageNotContaining("hunter2")
        .hasNoCause();
  }

  @Test
  void anObjectIsWrittenAsJsonAndReadBack() {
    Payload payload = PAYLOADS.serialize(ORDER);
    assertThat(text(payload))
        .contains("\"orderId\":\"42\"", "\"total\":10.50", "\"2026-11-19T12:00:00Z\"");
    assertThat(PAYLOADS.deserialize(payload.bytes(), OrderPlaced.class)).isEqualTo(ORDER);
  }

  @Test
  void theMapperDecidesHowFieldsAreNamed() {
    Payload payload = SNAKE_CASE.serialize(ORDER);
    assertThat(text(payload)).contains("\"order_id\":\"42\"", "\"article_id\":\"a\"");
    assertThat(SNAKE_CASE.deserialize(payload.bytes(), OrderPlaced.class)).isEqualTo(ORDER);
  }

  @Test
  void fieldsOfAnotherNamingStrategyAreAnErrorAndNotNulls() {
    byte[] snakeCase = SNAKE_CASE.serialize(ORDER).bytes();
    assertThatThrownBy(() -> PAYLOADS.deserialize(snakeCase, OrderPlaced.class))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("OrderPlaced: orderId is missing or null")
        .hasMessageContaining("check how fields are named");
  }

  record Text(String text) {}

  record Count(int number) {}

  record Texts(List<Text> list, Map<String, Text> map, Optional<Text> optional) {}

  @Test
  void eachComponentIsRequired() {
    unfit("{}", Text.class, "text is missing or null");
    unfit("{\"text\":null}", Text.class, "text is missing or null");
    unfit("{}", Count.class, "at /number");
    unfit("{\"number\":null}", Count.class, "at /number");
    assertThatThrownBy(() -> SNAKE_CASE.deserialize("{}".getBytes(UTF_8), Count.class))
        .isInstanceOf(InvalidPayloadException.class);
    assertThat(read("{\"text\":\"\"}", Text.class)).isEqualTo(new Text(""));
  }

  @Test
  void recordsWithinARecordAreCheckedToo() {
    String whole = "{'list':[{'text':'a'}],'map':{'k':{'text':'a'}}}".replace('\'', '"');
    assertThat(read(whole, Texts.class).optional()).isEmpty();
    unfit(whole.replace("[{\"text\":\"a\"}]", "[{}]"), Texts.class, ": list.text is missing");
    unfit(
        whole.replace("{\"k\":{\"text\":\"a\"}}", "{\"hunter2\":{}}"),
        Texts.class,
        ": map.text is missing");
    unfit(
        whole.replace("{\"list", "{\"optional\":{},\"list"),
        Texts.class,
        ": optional.text is missing");
    unfit("[{}]", Text[].class, ": text is missing");
  }

  /** An annotation of any library. */
  @interface Own {
    /** Named as many are. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.METHOD, ElementType.PARAMETER, ElementType.FIELD})
    @interface Nullable {}
  }

  record Notes(@Nullable String jspecify, @Own.Nullable String own, Optional<String> optional) {}

  @Test
  void whatMayBeNullIsLeftNull() {
    Notes nothing = new Notes(null, null, Optional.empty());
    assertThat(read("{}", Notes.class)).isEqualTo(nothing);
    assertThat(read("{\"jspecify\":null,\"own\":null,\"optional\":null}", Notes.class))
        .isEqualTo(nothing);
  }

  record Defaults(List<String> names) {
    Defaults {
      names = names == null ? List.of() : names;
    }
  }

  @Test
  void aRecordMayReplaceNullsItself() {
    assertThat(read("{}", Defaults.class).names()).isEmpty();
  }

  @kotlin.Metadata
  record OfKotlin(String name) {}

  @Test
  void recordsOfKotlinAreLeftToItsModule() {
    assertThat(read("{}", OfKotlin.class)).isEqualTo(new OfKotlin(null));
  }

  /** A class that Jackson fills by its fields. */
  static class Bean {
    public String name;
    public Text text;
  }

  @Test
  void classesThatAreNoRecordsAreLeftToJackson() {
    assertThat(read("{\"text\":{}}", Bean.class).name).isNull();
  }

  record Refusing(String name) {
    Refusing {
      if (name.equals("hunter2")) {
        throw new IllegalArgumentException("no " + name);
      }
    }
  }

  @Test
  void anErrorSaysWhereAndShowsNothing() {
    unfit("null", Text.class, ": it is null");
    unfit("", Text.class, ", at (line 1, column ");
    unfit("{\"text\": hunter2}", Text.class, "(line 1, column ");
    unfit("{\"number\": \"hunter2\"}", Count.class, "at /number (line 1, column ");
    unfit("{\"text\": \"a\"} hunter2", Text.class, ", at (line 1, column ");
    unfit(
        "{\"name\": \"hunter2\"}",
        Refusing.class,
        ": java.lang.IllegalArgumentException at ",
        "JacksonPayloadsTest.java");
    unfit("{\"map\": {\"hunter2\": {\"text\": []}}}", Texts.class, "/map/*/text");
    unfit("{}", Runnable.class, "which Jackson cannot construct; name a record");
  }

  static class Failing {
    public String getSecret() {
      return String.valueOf(Integer.parseInt("hunter2"));
    }
  }

  static class Opaque {
    public Object getThread() {
      return new Object();
    }
  }

  @Test
  void anObjectThatCannotBeWrittenIsNamedByWhatFailed() {
    assertThatThrownBy(() -> PAYLOADS.serialize(new Failing()))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("java.lang.NumberFormatException at ")
        .hasMessageContaining("at /secret")
        .hasMessageNotContaining("hunter2")
        .hasNoCause();
    JacksonPayloads strict =
        JacksonPayloads.of(
            JsonMapper.builder()
                .enable(tools.jackson.databind.SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .build());
    assertThatThrownBy(() -> strict.serialize(new Opaque()))
        .isInstanceOf(InvalidPayloadException.class)
        .hasMessageContaining("No serializer found for class java.lang.Object")
        .hasMessageContaining("at /thread");
    List<Object> endless = new ArrayList<>();
    endless.add(endless);
    assertThatThrownBy(() -> PAYLOADS.serialize(endless))
        .isInstanceOf(InvalidPayloadException.class);
  }
}
