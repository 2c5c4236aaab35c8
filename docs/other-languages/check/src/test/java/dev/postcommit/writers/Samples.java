package dev.postcommit.writers;

import dev.postcommit.Outbox;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/** Events with every field there is, and events that are refused. */
final class Samples {
  static final String TENANT = "0197A1B2-00c3-7000-8000-0000000000ff";

  /** JSON text that has no byte left. */
  private static final String LARGEST =
      "\"" + "é".repeat(Outbox.DEFAULT_MAX_PAYLOAD_BYTES / 2 - 1) + "\"";

  private Samples() {}

  /** Events that fill every column and lean on every conversion, all to one topic. */
  static List<Sample> good(String topic) {
    String later =
        Instant.now().plus(1, ChronoUnit.HOURS).truncatedTo(ChronoUnit.MILLIS).toString();
    List<Sample> samples =
        List.of(
            Sample.of("order.placed"),
            Sample.of("order.placed").with("aggregateType", "order").with("aggregateId", "o-1"),
            Sample.of("order.paid")
                .with("aggregateId", "o-2")
                .with("key", "k-1")
                .with("version", 7),
            Sample.of("größe.geändert")
                .with("aggregateType", "Maß \"x\\y\" {1,2}")
                .with("aggregateId", "Zoë 😀 'null' NULL")
                .with("namespace", "naïve, \"quoted\"")
                .text("{ \"name\" : \"Zo\\u00eb 😀\",\n\t\"quote\":\"\\\"'\\\\\" }"),
            Sample.of("numbers")
                .text(
                    "[10.00, 1e400, -0, 12345678901234567890.123456789, 9007199254740993,"
                        + " 1E+2 ,null]"),
            Sample.of("text").text("\"only a string\""),
            Sample.of("null").text("null"),
            Sample.of("bytes").bytes(new byte[] {0, 1, 39, 92, 34, -1, -128, 10}),
            Sample.of("empty").bytes(new byte[0]),
            Sample.of("big").text(LARGEST),
            Sample.of("big").bytes(new byte[Outbox.DEFAULT_MAX_PAYLOAD_BYTES / 4 * 3]),
            Sample.of("headers")
                .headers(
                    Map.of(
                        "traceparent",
                        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                        "correlationId",
                        "c-1",
                        "odd \"name\" é",
                        "",
                        "value",
                        "line\nbreak, {braces}, \\ and 😀")),
            Sample.of("tenant")
                .with("tenant", TENANT)
                .with("dedupeKey", TENANT.replace("-", "") + "/turn/1"),
            Sample.of("tenant").with("tenant", TENANT).with("dedupeKey", TENANT + "/turn/2"),
            Sample.of("due").with("availableAt", "2020-02-03T04:05:06Z"),
            Sample.of("delayed").with("aggregateId", "o-1").with("availableAt", later));
    return samples.stream()
        .map(sample -> sample.with("topic", topic).with("id", UUID.randomUUID().toString()))
        .toList();
  }

  /** Events that are refused, by what is wrong with them. */
  static Map<String, Sample> bad() {
    Sample sample = Sample.of("order.placed");
    String longText = "é".repeat(257);
    Map<String, Sample> bad = new LinkedHashMap<>();
    bad.put("blank type", sample.with("type", " "));
    bad.put("long type", sample.with("type", longText));
    bad.put("type with U+0000", sample.with("type", "a\0b"));
    bad.put("half a surrogate pair", sample.with("aggregateId", "a\ud800"));
    bad.put("blank topic", sample.with("topic", ""));
    bad.put("blank namespace", sample.with("namespace", "\t"));
    bad.put("long key", sample.with("key", longText));
    bad.put("long dedupe key", sample.with("dedupeKey", "é".repeat(513)));
    bad.put("version 0", sample.with("version", 0));
    bad.put("before 1970", sample.with("availableAt", "1969-12-31T23:59:59Z"));
    bad.put("no payload", sample.without("payload"));
    bad.put("not JSON", sample.text("{\"n\":"));
    bad.put("two values", sample.text("{} {}"));
    bad.put("not a number", sample.text("NaN"));
    bad.put("no text", sample.text(""));
    bad.put("large payload", sample.text(LARGEST.replaceFirst("é", "éx")));
    bad.put("large with headers", sample.text(LARGEST).header("h", ""));
    bad.put("large bytes", sample.bytes(new byte[Outbox.DEFAULT_MAX_PAYLOAD_BYTES / 4 * 3 + 1]));
    bad.put("type with a space", sample.with("type", "order placed"));
    bad.put("topic with a line break", sample.with("topic", "orders\n"));
    bad.put("topic that is a dot", sample.with("topic", ".."));
    bad.put("long topic", sample.with("topic", "x".repeat(250)));
    bad.put("null aggregate", sample.with("aggregateType", "order").with("aggregateId", null));
    bad.put("no aggregate", sample.with("aggregateType", "order"));
    bad.put("null aggregate id", sample.with("aggregateId", null));
    bad.put("null key", sample.with("aggregateId", "o-1").with("key", null));
    bad.put("blank header", sample.header(" ", "v"));
    bad.put("header of the relay", sample.header("event_id", "v"));
    bad.put("header of a broker", sample.header("googclient", "v"));
    bad.put("header name with a line break", sample.header("a\nb", "v"));
    bad.put("long header name", sample.header("é".repeat(129), "v"));
    bad.put("long header", sample.header("h", "é".repeat(513)));
    bad.put("header with U+0000", sample.header("h", "\0"));
    bad.put("101 headers", sample.headers(headers(101)));
    bad.put(
        "dedupe key of another tenant",
        sample.with("tenant", TENANT).with("dedupeKey", UUID.randomUUID() + "/1"));
    return bad;
  }

  private static Map<String, String> headers(int count) {
    Map<String, String> headers = new LinkedHashMap<>();
    IntStream.range(0, count).forEach(i -> headers.put("h" + i, "v"));
    return headers;
  }
}
