package dev.postcommit.testkit.pubsub.engine;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A part of a list that is sorted by name.
 *
 * @param next asks for the part that follows; empty if there is none
 */
record Page<T>(List<T> content, String next) {

  private static final int DEFAULT_SIZE = 100;

  /**
   * The part of {@code all} that follows {@code token}.
   *
   * @param size how many at most; 0 for as many as the server likes
   */
  static <T> Page<T> of(Stream<T> all, Function<T, String> name, int size, String token) {
    if (size < 0) {
      throw Refusals.invalid("Invalid page_size: " + size + "; it must not be negative.");
    }
    int limit = size == 0 ? DEFAULT_SIZE : size;
    List<T> rest =
        all.filter(each -> name.apply(each).compareTo(token) > 0).limit(limit + 1L).toList();
    if (rest.size() <= limit) {
      return new Page<>(rest, "");
    }
    List<T> content = rest.subList(0, limit);
    return new Page<>(content, name.apply(content.get(limit - 1)));
  }
}
