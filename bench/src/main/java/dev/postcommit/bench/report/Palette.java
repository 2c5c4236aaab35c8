package dev.postcommit.bench.report;

import java.awt.Color;

/** Colours that say whose a number is; lighter ones are later series. */
final class Palette {
  private static final Color MAIN = new Color(0x0B3D91);
  private static final Color POSTCOMMIT = new Color(0x3F7FD0);
  private static final Color PEER = new Color(0xD9741A);
  private static final Color LIMIT = new Color(0x7A7A7A);
  private static final Color NEUTRAL = new Color(0x222222);

  private Palette() {}

  static Color of(Entrant entrant) {
    return entrant.isMain() ? MAIN : of(entrant.kind());
  }

  static Color of(Entrant.Kind kind) {
    return switch (kind) {
      case POSTCOMMIT -> POSTCOMMIT;
      case PEER -> PEER;
      case LIMIT -> LIMIT;
    };
  }

  /** For what is nobody's, such as the name of a series. */
  static Color neutral() {
    return NEUTRAL;
  }

  /** {@code color}, the lighter the later {@code series} is among {@code all}. */
  static Color shade(Color color, int series, int all) {
    double light = 0.75 * series / all;
    return new Color(
        lighter(color.getRed(), light),
        lighter(color.getGreen(), light),
        lighter(color.getBlue(), light));
  }

  private static int lighter(int part, double light) {
    return (int) Math.round(part + (255 - part) * light);
  }
}
