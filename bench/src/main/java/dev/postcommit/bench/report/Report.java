package dev.postcommit.bench.report;

import java.util.ArrayList;
import java.util.List;

/** Text with plots in it. */
final class Report {
  private final StringBuilder text = new StringBuilder();
  private final List<Plot> plots = new ArrayList<>();

  void heading(int level, String heading) {
    paragraph("#".repeat(level) + " " + heading);
  }

  /** Adds text that stands apart from what comes before. */
  void paragraph(Object paragraph) {
    if (!text.isEmpty()) {
      text.append('\n');
    }
    text.append(paragraph.toString().strip()).append('\n');
  }

  void plot(Plot plot) {
    if (!plot.isEmpty()) {
      plots.add(plot);
      paragraph("![%s](benchmarks/%s.svg)".formatted(plot.title(), plot.file()));
    }
  }

  List<Plot> plots() {
    return List.copyOf(plots);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
