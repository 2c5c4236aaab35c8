package dev.postcommit.server.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JsonTest {

  @Test
  void aDocumentIsOneLine() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Json.print(
        new PrintStream(bytes, true, StandardCharsets.UTF_8),
        fields -> {
          fields.writeStringField("text", "two\nlines and a \"quote\"");
          fields.writeNumberField("number", 5);
          fields.writeStringField("nothing", null);
        });
    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .isEqualToIgnoringNewLines(
            "{\"text\":\"two\\nlines and a \\\"quote\\\"\",\"number\":5,\"nothing\":null}");
  }
}
