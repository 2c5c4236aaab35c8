package dev.postcommit.bench.report;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Numbers for people: three digits that count, whole ones as they are, and a dash for what was not
 * measured.
 */
final class Numbers {
  static final String MISSING = "-";

  private Numbers() {}

  static String count(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }

  static String text(double value) {
    double size = Math.abs(value);
    if (size >= 99.95 || size == Math.rint(size)) {
      return count(value);
    }
    int decimals = size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  static String median(Optional<Figure> figure) {
    return figure.map(it -> text(it.median())).orElse(MISSING);
  }

  static String spread(Optional<Figure> figure) {
    return figure.map(it -> text(it.least()) + " – " + text(it.most())).orElse(MISSING);
  }

  /** A number of times. */
  static String times(OptionalDouble ratio) {
    return ratio.isEmpty() ? MISSING : text(ratio.getAsDouble()) + "×";
  }
}
