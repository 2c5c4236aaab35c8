package dev.postcommit.bench.report;

import java.util.Locale;

/** Numbers for people: three significant digits, and whole numbers as they are. */
final class Numbers {
  private Numbers() {}

  static String text(double value) {
    double size = Math.abs(value);
    boolean isWhole = size >= 99.95 || size == Math.rint(size);
    int decimals = isWhole ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3;
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
