package dev.postcommit.server.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonObjectTest {

  @Test
  void aDocumentIsOneLine() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new JsonObject()
        .set("text", "two\nlines and a \"quote\"")
        .set("number", 5)
        .set("nothing", null)
        .set("list", List.of(true, Map.of("a", 0.5), new JsonObject()))
        .print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .isEqualToIgnoringNewLines(
            "{\"text\":\"two\\nlines and a \\\"quote\\\"\",\"number\":5,\"nothing\":null,"
                + "\"list\":[true,{\"a\":0.5},{}]}");
  }
}
