package dev.postcommit.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postcommit.store.StoredEvent;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/** Stored events and golden files for tests. */
public final class Samples {
  public static final String ID = "0197a1b2-0000-7000-8000-000000000001";

  private Samples() {}

  /** An event with every field. */
  public static StoredEvent full(String payload, Map<String, String> headers) {
    return new StoredEvent(
        ID,
        "billing",
        "invoice.sent",
        UUID.fromString("0197a1b2-0000-7000-8000-00000000000a"),
        "dedupe/1",
        "order.order.placed.v1",
        "order",
        "42",
        "key-42",
        2,
        headers,
        payload.getBytes(UTF_8),
        Instant.parse("2026-03-04T05:06:07.123456Z"),
        1,
        null);
  }

  /** An event with nothing that a table could do without. */
  public static StoredEvent bare(String payload) {
    return bare(payload.getBytes(UTF_8));
  }

  /** An event with nothing that a table could do without. */
  public static StoredEvent bare(byte[] payload) {
    return new StoredEvent(
        ID,
        "default",
        "order.placed",
        null,
        null,
        "order.placed",
        null,
        null,
        null,
        1,
        Map.of(),
        payload,
        Instant.parse("2026-03-04T05:06:07Z"),
        1,
        null);
  }

  /** The text an envelope makes of a payload. */
  static String body(Envelope envelope, String payload) {
    return new String(envelope.wrap(bare(payload), "t").body(), UTF_8);
  }

  /** The bytes of a golden file. */
  static byte[] golden(String name) throws IOException {
    try (InputStream file = Samples.class.getResourceAsStream("/golden/" + name)) {
      return file.readAllBytes();
    }
  }
}
