package dev.postcommit.bench.report;

import java.awt.Dimension;
import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.awt.geom.Rectangle2D;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Writes plots as SVG. */
final class Plots {
  private static final int WIDTH = 900;
  private static final int AROUND = 110;
  private static final int NAME = 24;
  private static final int BAR = 15;

  private Plots() {}

  /** Writes {@code plots} in place of all that are in {@code directory}. */
  static void write(Path directory, List<Plot> plots) throws IOException {
    try (DirectoryStream<Path> old = Files.newDirectoryStream(directory, "*.svg")) {
      for (Path file : old) {
        Files.delete(file);
      }
    }
    if (!hasFonts()) {
      System.err.println("Plots are not written: this machine has no fonts to write them with.");
      return;
    }
    for (Plot plot : plots) {
      Files.writeString(directory.resolve(plot.file() + ".svg"), svg(plot));
    }
  }

  /** Whether text can be measured: how a JVM says that it cannot depends on its version. */
  static boolean hasFonts() {
    System.setProperty("java.awt.headless", "true");
    try {
      Rectangle2D bounds =
          new Font(Font.SANS_SERIF, Font.PLAIN, 12)
              .getStringBounds("name", new FontRenderContext(null, true, true));
      return bounds.getWidth() > 0;
    } catch (RuntimeException | Error e) {
      return false;
    }
  }

  private static String svg(Plot plot) throws IOException {
    int height = height(plot);
    SVGGeneratorContext context = SVGGeneratorContext.createDefault(document());
    context.setComment(null);
    SVGGraphics2D graphics = new SVGGraphics2D(context, false);
    graphics.setSVGCanvasSize(new Dimension(WIDTH, height));
    Chart.of(plot).draw(graphics, new Rectangle2D.Double(0, 0, WIDTH, height));
    Element root = graphics.getRoot();
    root.setAttributeNS(null, "viewBox", "0 0 %d %d".formatted(WIDTH, height));
    StringWriter svg = new StringWriter();
    graphics.stream(root, svg, true, false);
    // As wide as what was measured with, on most machines.
    return svg.toString().replace("sans-serif", "DejaVu Sans,Verdana,sans-serif");
  }

  private static int height(Plot plot) {
    int bars = plot.style() == Plot.Style.BARS ? plot.series().size() : 1;
    return AROUND + plot.entrants().size() * Math.max(NAME, bars * BAR + 6);
  }

  private static Document document() {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .getDOMImplementation()
          .createDocument("http://www.w3.org/2000/svg", "svg", null);
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException(e);
    }
  }
}
