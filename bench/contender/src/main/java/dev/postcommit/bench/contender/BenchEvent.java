package dev.postcommit.bench.contender;

/**
 * An event of the benchmark.
 *
 * @param run the run it belongs to
 * @param n its number in the run, from 0; the numbers of a key grow in the order of writing
 * @param key what its order and its message's key depend on
 * @param body the JSON text that is to be the message's body, byte for byte or as an equal document
 */
public record BenchEvent(int run, int n, String key, String body) {

  /** An event whose body has at least {@code bytes} bytes. */
  public static BenchEvent of(int run, int n, Keys keys, int bytes) {
    String start = "{\"run\":" + run + ",\"n\":" + n + ",\"pad\":\"";
    String body = start + "x".repeat(Math.max(0, bytes - start.length() - 2)) + "\"}";
    return new BenchEvent(run, n, "key-" + keys.of(n), body);
  }
}
