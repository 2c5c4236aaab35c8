package dev.postcommit.bench.contender;

/**
 * An event of the benchmark.
 *
 * @param number its number in its run, from 0; the numbers of a key grow in the order of writing
 * @param key what its order and its message's key depend on
 * @param n what a consumer knows it by: run and number
 * @param pad what makes it as long as it is to be
 */
public record BenchEvent(int number, String key, String n, String pad) {
  /** An event whose body has at least {@code bytes} bytes. */
  public static BenchEvent of(int run, int number, Keys keys, int bytes) {
    String n = name(run) + number;
    int rest = bytes - body(n, "").length();
    return new BenchEvent(number, "key-" + keys.of(number), n, "x".repeat(Math.max(0, rest)));
  }

  /** What the names of all events of a run begin with, and no other does. */
  public static String name(int run) {
    return "run" + run + "-";
  }

  /**
   * The JSON text that is to be the message's body, as it is or as an equal document; its fields
   * are in the order in which Postgres' {@code jsonb} would put them.
   */
  public String body() {
    return body(n, pad);
  }

  private static String body(String n, String pad) {
    return "{\"n\":\"" + n + "\",\"pad\":\"" + pad + "\"}";
  }
}
