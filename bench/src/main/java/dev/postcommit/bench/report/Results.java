package dev.postcommit.bench.report;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVRecord;

/**
 * The rows of a run in a CSV file, each there as soon as it is known: a run that is killed leaves
 * what it measured. What could not be measured is a row of the metric {@code failed}, with the
 * reason as its value. Safe for use by many threads.
 */
public final class Results implements Consumer<Row> {
  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180
          .builder()
          .setHeader("scenario", "variant", "contender", "round", "metric", "value")
          .setRecordSeparator('\n')
          .get();

  private static final CSVFormat WITHOUT_HEADER = FORMAT.builder().setSkipHeaderRecord(true).get();

  private static final String FAILED = "failed";

  private final Path csv;

  private Results(Path csv) {
    this.csv = csv;
  }

  /** Starts a new file, in place of one that is there. */
  public static Results create(Path csv) throws IOException {
    try (Writer file = Files.newBufferedWriter(csv)) {
      FORMAT.print(file);
    }
    return new Results(csv);
  }

  @Override
  public void accept(Row row) {
    print(
        row.scenario(),
        row.variant(),
        row.contender(),
        row.round(),
        row.metric(),
        text(row.value()));
  }

  /** Records what could not be measured. */
  public void failed(Failure failure) {
    print(failure.scenario(), "", failure.contender(), "", FAILED, failure.reason());
  }

  private synchronized void print(Object... record) {
    try (Writer file = Files.newBufferedWriter(csv, StandardOpenOption.APPEND)) {
      WITHOUT_HEADER.print(file).printRecord(record);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to " + csv, e);
    }
  }

  /** The rows of {@code csv}, in their order. */
  public static List<Row> read(Path csv) throws IOException {
    return lines(csv).filter(line -> !isFailure(line)).map(Results::row).toList();
  }

  /** What could not be measured according to {@code csv}. */
  public static List<Failure> failures(Path csv) throws IOException {
    return lines(csv)
        .filter(Results::isFailure)
        .map(line -> new Failure(line.get("scenario"), line.get("contender"), line.get("value")))
        .toList();
  }

  private static Stream<CSVRecord> lines(Path csv) throws IOException {
    try (Reader file = Files.newBufferedReader(csv)) {
      return WITHOUT_HEADER.parse(file).getRecords().stream();
    }
  }

  private static boolean isFailure(CSVRecord line) {
    return line.get("metric").equals(FAILED);
  }

  private static Row row(CSVRecord line) {
    return new Row(
        line.get("scenario"),
        line.get("variant"),
        line.get("contender"),
        Integer.parseInt(line.get("round")),
        line.get("metric"),
        Double.parseDouble(line.get("value")));
  }

  /** What reads back as the same number; whole ones without a fraction. */
  private static String text(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
