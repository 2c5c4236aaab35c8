package dev.postcommit.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Draws the answers to a question as horizontal bars, as SVG. Positions do not depend on the width
 * of text, so the same figures give the same bytes on every machine.
 *
 * @param file its name, without the theme
 * @param unit what the numbers are, and which are better
 * @param conditions what it was measured with, in small print
 */
record BarChart(String file, String title, String unit, List<Bar> bars, String conditions) {
  private static final int WIDTH = 860;
  private static final int LEFT = 210;
  private static final int TOP = 64;
  private static final int ROW = 30;

  /** The longest bar, which leaves room for its figure. */
  private static final double LONGEST = 440;

  /** The answer of one contender. */
  record Bar(Contender contender, Figure figure, boolean isInOrder) {}

  /** Colours for a light or a dark page. */
  enum Theme {
    LIGHT("#1f2328", "#59636e", "#d1d9e0", "#0969da", "#d4862a", "#fbe6cf"),
    DARK("#f0f6fc", "#9198a1", "#3d444d", "#4493f8", "#d29922", "#4a3814");

    private final String text;
    private final String small;
    private final String grid;
    private final String ours;
    private final String peer;
    private final String pale;

    Theme(String text, String small, String grid, String ours, String peer, String pale) {
      this.text = text;
      this.small = small;
      this.grid = grid;
      this.ours = ours;
      this.peer = peer;
      this.pale = pale;
    }

    String suffix() {
      return "-" + name().toLowerCase(Locale.ROOT) + ".svg";
    }

    private String box(double x, double y, double width, double height, String fill, String line) {
      return "  <rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"2\" fill=\"%s\" stroke=\"%s\"/>\n"
          .formatted(number(x), number(y), number(width), number(height), fill, line);
    }

    private String box(double x, double y, double width, double height, Bar bar) {
      String line = bar.contender().isPeer() ? peer : ours;
      String fill = bar.contender().isPeer() && !bar.isInOrder() ? pale : line;
      return box(x, y, width, height, fill, line);
    }
  }

  String svg(Theme theme) {
    int bottom = TOP + ROW * bars.size();
    StringBuilder svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" role="img" aria-label="%3$s">
          <style>
            text { font-family: -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, "DejaVu Sans", sans-serif; font-size: 13px; fill: %4$s; }
            .t { font-size: 16px; font-weight: 600; }
            .s { font-size: 12px; font-weight: 400; fill: %5$s; }
            .b { font-weight: 600; }
          </style>
        """
            .formatted(WIDTH, bottom + 68, escaped(title), theme.text, theme.small));
    svg.append(text("t", 12, 24, "start", title)).append(text("s", 12, 44, "start", unit));
    svg.append(theme.box(448, 33, 12, 12, theme.ours, theme.ours));
    svg.append(text("s", 466, 44, "start", "Postcommit"));
    svg.append(theme.box(548, 33, 12, 12, theme.peer, theme.peer));
    svg.append(text("s", 566, 44, "start", "peer, keeps order per key"));
    svg.append(theme.box(728, 33, 12, 12, theme.pale, theme.peer));
    svg.append(text("s", 746, 44, "start", "peer, does not"));
    grid(svg, theme, bottom);
    for (int i = 0; i < bars.size(); i++) {
      bar(svg, theme, bars.get(i), TOP + ROW * i);
    }
    svg.append(text("s", 12, bottom + 38, "start", conditions));
    svg.append(text("s", 12, bottom + 54, "start", note()));
    return svg.append("</svg>\n").toString();
  }

  private void bar(StringBuilder svg, Theme theme, Bar bar, int y) {
    double length = bar.figure().median() * scale();
    String style = bar.contender().isPeer() ? "" : "b";
    String range = bar.figure().range();
    svg.append(text(style, LEFT - 10, y + 20, "end", bar.contender().name()))
        .append(theme.box(LEFT, y + 6, length, 18, bar))
        .append(
            "  <text class=\"%s\" x=\"%s\" y=\"%d\">%s<tspan class=\"s\" dx=\"8\">%s</tspan></text>\n"
                .formatted(style, number(LEFT + length + 8), y + 20, bar.figure().text(), range));
  }

  private void grid(StringBuilder svg, Theme theme, int bottom) {
    double step = step();
    for (double value = 0; value * scale() <= LONGEST; value += step) {
      double x = LEFT + value * scale();
      svg.append(
          "  <path d=\"M%1$s %2$d V%3$d\" stroke=\"%4$s\"/>\n"
              .formatted(number(x), TOP, bottom, theme.grid));
      svg.append(text("s", x, bottom + 16, "middle", Numbers.text(value)));
    }
  }

  private double most() {
    return bars.stream().mapToDouble(bar -> bar.figure().median()).max().orElse(1);
  }

  private double scale() {
    return LONGEST / most();
  }

  /** The distance of grid lines: 1, 2 or 5 times a power of ten. */
  private double step() {
    double power = Math.pow(10, Math.floor(Math.log10(most())));
    double leading = most() / power;
    return power * (leading >= 5 ? 2 : leading >= 2 ? 1 : 0.5);
  }

  private String note() {
    Set<String> marks = bars.stream().map(bar -> bar.figure().mark()).collect(Collectors.toSet());
    return "Medians; in small print the range of the rounds."
        + (marks.contains(Figure.STOPPED) ? " * Stopped with events left." : "")
        + (marks.contains(Figure.LATE) ? " † Did not keep up." : "");
  }

  private static String text(String style, double x, double y, String anchor, String text) {
    return "  <text class=\"%s\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n"
        .formatted(style, number(x), number(y), anchor, escaped(text));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value).replaceAll("\\.0$", "");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
