package dev.postcommit.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.relay.Message;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Compares message bodies with files, byte for byte: consumers depend on every one of them. */
class GoldenTest {
  private static final String PAYLOAD =
      "{\"total\": 12345678901234567890.123456789, \"huge\":1e400,\"price\":10.00,"
          + " \"name\":\"Zoë \\u00e9 😀\",\"nothing\":null,\"messageId\":\"forged\","
          + "\"items\":[{\"messageId\":7},[],{}]}";

  private static final Map<String, String> HEADERS =
      Map.of(
          "traceparent",
          "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
          "correlationId",
          "c-1",
          "userId",
          "u \"1\"");

  private static void same(String file, Message message) throws IOException {
    assertThat(new String(message.body(), UTF_8))
        .isEqualTo(new String(Samples.golden(file), UTF_8));
    assertThat(message.body()).isEqualTo(Samples.golden(file));
  }

  @Test
  @DisplayName("R24: the body includes the id as messageId")
  void messageId() throws IOException {
    same("message-id.json", Envelope.messageId().wrap(Samples.full(PAYLOAD, HEADERS), "t"));
    same("message-id-array.json", Envelope.messageId().wrap(Samples.bare(" [1.0, null]\n"), "t"));
  }

  @Test
  @DisplayName("R32: the envelope is built at publish")
  void built() throws IOException {
    Envelope built = Envelope.built("order-service");
    same("built.json", built.wrap(Samples.full(PAYLOAD, HEADERS), "t"));
    same("built-bare.json", built.wrap(Samples.bare("{}"), "t"));
  }

  @Test
  @DisplayName("R31: the envelope written with the row is the body, unchanged")
  void stored() throws IOException {
    String payload = new String(Samples.golden("stored.json"), UTF_8);
    same("stored.json", Envelope.stored().wrap(Samples.full(payload, HEADERS), "t"));
  }
}
