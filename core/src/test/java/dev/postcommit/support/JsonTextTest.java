package dev.postcommit.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.InvalidEventException;
import dev.postcommit.internal.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTextTest {
  @Test
  void textComesBackAsItsUtf8Bytes() {
    for (String text :
        new String[] {"\"?\"", "\"é\"", "\"\uffff\"", "\"😀?😀\"", " [1, \"\ufffd\"] "}) {
      assertThat(JsonText.checked("payload", text))
          .isEqualTo(text.getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void halfASurrogatePairIsRefusedWhereverItStands() {
    for (String text : new String[] {"\ud83d", "\ude00", "?\ud83d?", "😀\ud83d", "\ude00\ud83d"}) {
      assertThatThrownBy(() -> Utf8.encode("key", text))
          .isInstanceOf(InvalidEventException.class)
          .hasMessageContaining("half a surrogate pair");
    }
  }

  @Test
  void anUnescapedNulIsNotJson() {
    for (String text : new String[] {"\"a\0b\"", "{\"a\0\":1}", "[\"\0\"]", "1\0", "\0"}) {
      assertThatThrownBy(() -> JsonText.checked("payload", text))
          .isInstanceOf(InvalidEventException.class);
    }
  }

  @Test
  void escapesThatJsonbCannotStoreAreFound() {
    for (String text :
        new String[] {
          "\"\\u0000\"", "{\"a\\u0000\":1}", "[{\"a\":\"\\ud83d\"}]", "\"\\ude00\\ud83d\""
        }) {
      assertThat(fits(text)).as(text).isFalse();
    }
  }

  @Test
  void whatJsonbMakesOfTextIsNeverLonger() {
    // What Postgres makes of each: SELECT '...'::jsonb::text.
    Map<String, String> texts =
        Map.ofEntries(
            Map.entry("[1,2]", "[1, 2]"),
            Map.entry("{\"a\":[1,\"b,:c\"],\"d\":{}}", "{\"a\": [1, \"b,:c\"], \"d\": {}}"),
            Map.entry(" [ 1 ,\n\t2 ] ", "[1, 2]"),
            Map.entry("[true,null,\"e1\"]", "[true, null, \"e1\"]"),
            Map.entry("\"\\\"\\\\,\"", "\"\\\"\\\\,\""),
            Map.entry("\"\\u00e9\"", "\"é\""),
            Map.entry("1e5", "100000"),
            Map.entry("-1.5E+3", "-1500"),
            Map.entry("25e-4", "0.0025"));
    texts.forEach(
        (text, stored) ->
            assertThat(size(text))
                .as(text)
                .isBetween(
                    (long) stored.getBytes(StandardCharsets.UTF_8).length, stored.length() + 5L));
    assertThat(size("[1,2]")).isEqualTo(6);
    assertThat(size("1e99999999999999999999")).isEqualTo(Integer.MAX_VALUE);
  }

  private static long size(String text) {
    return JsonText.jsonbSize(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void allElseFitsJsonb() {
    for (String text :
        new String[] {
          "1",
          "\"é 😀\"",
          "\"\\n\\\\\"",
          "\"\\\\u0000\"",
          "\"\\ud83d\\ude00\"",
          "{\"u\":\"\\u00e9\"}"
        }) {
      assertThat(fits(text)).as(text).isTrue();
    }
  }

  private static boolean fits(String text) {
    return JsonText.fitsJsonb(JsonText.checked("payload", text));
  }
}
