package dev.postcommit.bench.report;

import java.awt.Color;
import java.awt.Paint;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Rectangle2D;
import java.util.List;
import org.jfree.chart.renderer.category.AbstractCategoryItemRenderer;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.LineAndShapeRenderer;
import org.jfree.chart.renderer.category.StackedBarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.chart.util.ShapeUtils;

/** Draws numbers in the colour of their contender. */
final class Renderers {
  private static final List<Shape> MARKS =
      List.of(
          new Ellipse2D.Double(-4, -4, 8, 8),
          ShapeUtils.createUpTriangle(4.5f),
          ShapeUtils.createDiamond(5.5f),
          new Rectangle2D.Double(-3.5, -3.5, 7, 7));

  private Renderers() {}

  static AbstractCategoryItemRenderer of(Plot plot) {
    return switch (plot.style()) {
      case BARS -> flat(new Bars(plot));
      case STACKED -> flat(new StackedBars(plot));
      case MARKS -> marks(new Marks(plot));
    };
  }

  /** The shape of the marks of a series. */
  static Shape mark(int series) {
    return MARKS.get(series % MARKS.size());
  }

  static Color color(Plot plot, int series, int entrant) {
    return Palette.shade(Palette.of(plot.entrants().get(entrant)), series, plot.series().size());
  }

  private static BarRenderer flat(BarRenderer renderer) {
    renderer.setBarPainter(new StandardBarPainter());
    renderer.setShadowVisible(false);
    renderer.setItemMargin(0);
    return renderer;
  }

  private static LineAndShapeRenderer marks(LineAndShapeRenderer renderer) {
    renderer.setDefaultLinesVisible(false);
    for (int series = 0; series < MARKS.size(); series++) {
      renderer.setSeriesShape(series, MARKS.get(series));
    }
    return renderer;
  }

  private static final class Bars extends BarRenderer {
    private static final long serialVersionUID = 1;
    private final transient Plot plot;

    Bars(Plot plot) {
      this.plot = plot;
    }

    @Override
    public Paint getItemPaint(int row, int column) {
      return color(plot, row, column);
    }
  }

  private static final class StackedBars extends StackedBarRenderer {
    private static final long serialVersionUID = 1;
    private final transient Plot plot;

    StackedBars(Plot plot) {
      this.plot = plot;
    }

    @Override
    public Paint getItemPaint(int row, int column) {
      return color(plot, row, column);
    }
  }

  private static final class Marks extends LineAndShapeRenderer {
    private static final long serialVersionUID = 1;
    private final transient Plot plot;

    Marks(Plot plot) {
      this.plot = plot;
    }

    @Override
    public Paint getItemPaint(int row, int column) {
      return color(plot, row, column);
    }
  }
}
