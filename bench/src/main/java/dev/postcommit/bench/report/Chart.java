package dev.postcommit.bench.report;

import java.awt.Color;
import java.awt.Font;
import java.awt.Shape;
import java.awt.geom.Rectangle2D;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.NumberFormat;
import java.util.DoubleSummaryStatistics;
import java.util.Locale;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.LegendItem;
import org.jfree.chart.LegendItemCollection;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.labels.ItemLabelAnchor;
import org.jfree.chart.labels.ItemLabelPosition;
import org.jfree.chart.labels.StandardCategoryItemLabelGenerator;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.renderer.category.AbstractCategoryItemRenderer;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.chart.ui.TextAnchor;
import org.jfree.data.category.CategoryDataset;
import org.jfree.data.category.DefaultCategoryDataset;

/** A plot as the chart library draws it: names at the left, numbers to the right. */
final class Chart {
  private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
  private static final Color LINES = new Color(0xD0D0D0);
  private static final Shape BOX = new Rectangle2D.Double(-5, -5, 10, 10);

  /** Room for the longest number at the end of the longest bar. */
  private static final double MARGIN = 0.12;

  private static final ItemLabelPosition AT_THE_END =
      new ItemLabelPosition(ItemLabelAnchor.OUTSIDE3, TextAnchor.CENTER_LEFT);

  private Chart() {}

  static JFreeChart of(Plot plot) {
    CategoryPlot drawn = new CategoryPlot(numbers(plot), names(), axis(plot), renderer(plot));
    drawn.setOrientation(PlotOrientation.HORIZONTAL);
    drawn.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
    drawn.setBackgroundPaint(Color.WHITE);
    drawn.setOutlineVisible(false);
    drawn.setRangeGridlinePaint(LINES);
    drawn.setDomainGridlinePaint(LINES);
    drawn.setDomainGridlinesVisible(plot.style() == Plot.Style.MARKS);
    drawn.setFixedLegendItems(legend(plot));
    JFreeChart chart = new JFreeChart(plot.title(), FONT.deriveFont(Font.BOLD, 15), drawn, true);
    chart.setBackgroundPaint(Color.WHITE);
    chart.setPadding(new RectangleInsets(4, 4, 4, 24));
    chart.getLegend().setPosition(RectangleEdge.BOTTOM);
    chart.getLegend().setItemFont(FONT);
    return chart;
  }

  private static CategoryDataset numbers(Plot plot) {
    DefaultCategoryDataset numbers = new DefaultCategoryDataset();
    for (int series = 0; series < plot.series().size(); series++) {
      for (Entrant entrant : plot.entrants()) {
        Double value = plot.series().get(series).values().get(entrant);
        boolean isDrawn = value != null && (value > 0 || plot.style() == Plot.Style.BARS);
        numbers.addValue(isDrawn ? value : null, Integer.valueOf(series), new Name(entrant));
      }
    }
    return numbers;
  }

  private static CategoryAxis names() {
    CategoryAxis names = new CategoryAxis();
    names.setTickLabelFont(FONT);
    names.setMaximumCategoryLabelWidthRatio(0.5f);
    names.setCategoryMargin(0.25);
    names.setLowerMargin(0.01);
    names.setUpperMargin(0.01);
    return names;
  }

  private static ValueAxis axis(Plot plot) {
    ValueAxis axis;
    if (plot.style() == Plot.Style.MARKS) {
      axis = decades(plot);
    } else {
      NumberAxis linear = new NumberAxis(plot.axis());
      linear.setNumberFormatOverride(format());
      axis = linear;
      axis.setUpperMargin(MARGIN);
    }
    axis.setTickLabelFont(FONT);
    axis.setLabelFont(FONT);
    return axis;
  }

  /** A logarithmic scale that begins and ends with a power of ten. */
  private static LogAxis decades(Plot plot) {
    DoubleSummaryStatistics values =
        plot.series().stream()
            .flatMap(series -> series.values().values().stream())
            .mapToDouble(Double::doubleValue)
            .filter(value -> value > 0)
            .summaryStatistics();
    LogAxis axis = new LogAxis(plot.axis());
    axis.setNumberFormatOverride(format());
    axis.setTickUnit(new NumberTickUnit(1));
    axis.setMinorTickCount(9);
    axis.setMinorTickMarksVisible(true);
    if (values.getCount() > 0) {
      axis.setRange(
          Math.pow(10, Math.floor(Math.log10(values.getMin()))),
          Math.pow(10, Math.floor(Math.log10(values.getMax())) + 1));
    }
    return axis;
  }

  private static AbstractCategoryItemRenderer renderer(Plot plot) {
    AbstractCategoryItemRenderer renderer = Renderers.of(plot);
    if (plot.style() == Plot.Style.BARS) {
      renderer.setDefaultItemLabelGenerator(
          new StandardCategoryItemLabelGenerator("{2}", format()) {
            private static final long serialVersionUID = 1;

            @Override
            public String generateLabel(CategoryDataset numbers, int series, int entrant) {
              return Numbers.text(numbers.getValue(series, entrant).doubleValue());
            }
          });
      renderer.setDefaultPositiveItemLabelPosition(AT_THE_END);
      renderer.setDefaultItemLabelFont(FONT.deriveFont(11f));
      renderer.setDefaultItemLabelsVisible(true);
    }
    return renderer;
  }

  /** Whose the colours are, and what the shades or marks stand for. */
  private static LegendItemCollection legend(Plot plot) {
    LegendItemCollection legend = new LegendItemCollection();
    for (Entrant.Kind kind : Entrant.Kind.values()) {
      if (plot.entrants().stream().anyMatch(entrant -> entrant.kind() == kind)) {
        legend.add(item(name(kind), BOX, Palette.of(kind)));
      }
    }
    int all = plot.series().size();
    for (int series = 0; all > 1 && series < all; series++) {
      legend.add(
          item(
              plot.series().get(series).name(),
              plot.style() == Plot.Style.MARKS ? Renderers.mark(series) : BOX,
              Palette.shade(Palette.neutral(), series, all)));
    }
    return legend;
  }

  private static LegendItem item(String name, Shape shape, Color color) {
    return new LegendItem(name, null, null, null, shape, color);
  }

  private static String name(Entrant.Kind kind) {
    return switch (kind) {
      case POSTCOMMIT -> "Postcommit";
      case PEER -> "peers";
      case LIMIT -> "limits";
    };
  }

  private static NumberFormat format() {
    return new DecimalFormat("#,##0.##", DecimalFormatSymbols.getInstance(Locale.ROOT));
  }

  /** Contenders of the same name are two all the same. */
  private record Name(Entrant entrant) implements Comparable<Name> {
    @Override
    public int compareTo(Name other) {
      return entrant.id().compareTo(other.entrant.id());
    }

    @Override
    public String toString() {
      return entrant.name();
    }
  }
}
