package dev.postcommit.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {
  @TempDir Path directory;

  @Test
  void whatIsWrittenIsRead() throws IOException {
    Path csv = directory.resolve("results.csv");
    List<Row> rows =
        List.of(
            new Row("drain", "", "a", 1, "events_per_second", 12_345.678_901_234_567),
            new Row("a \"b\", c", "1,000", "line\nbreak", 2, " spaces ", 1e-300),
            new Row("drain", "", "a", 3, "delivered", 200_000),
            new Row("drain", "", "a", 4, "added_us", -0.1));

    Results results = Results.create(csv);
    rows.forEach(results);

    assertThat(Results.read(csv)).isEqualTo(rows);
  }

  @Test
  void rowsAreThereAtOnce() throws IOException {
    Path csv = directory.resolve("results.csv");
    Results results = Results.create(csv);
    assertThat(csv).hasContent("scenario,variant,contender,round,metric,value\n");

    results.accept(new Row("drain", "", "a", 1, "lost", 0));

    assertThat(Files.readAllLines(csv)).last().isEqualTo("drain,,a,1,lost,0");
  }

  @Test
  void aNewFileReplacesAnOldOne() throws IOException {
    Path csv = directory.resolve("results.csv");
    Results.create(csv).accept(new Row("drain", "", "a", 1, "lost", 0));

    Results.create(csv);

    assertThat(Results.read(csv)).isEmpty();
  }

  @Test
  void whatFailedIsReadApartFromFigures() throws IOException {
    Path csv = directory.resolve("results.csv");
    Results results = Results.create(csv);
    results.accept(new Row("drain", "", "a", 1, "lost", 0));
    results.failed(new Failure("drain", "b", "its JVM, \"x\", is gone:\n  1\n"));

    assertThat(Results.read(csv)).containsExactly(new Row("drain", "", "a", 1, "lost", 0));
    assertThat(Results.failures(csv))
        .containsExactly(new Failure("drain", "b", "its JVM, \"x\", is gone:; 1"));
    assertThat(Files.readAllLines(csv)).hasSize(3);
  }

  @Test
  void numbersDoNotDependOnTheLocale() throws IOException {
    Path csv = directory.resolve("results.csv");
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      Results.create(csv).accept(new Row("drain", "", "a", 1, "p50_ms", 1234.5));
    } finally {
      Locale.setDefault(before);
    }
    assertThat(Files.readAllLines(csv)).last().isEqualTo("drain,,a,1,p50_ms,1234.5");
  }

  @Test
  void manyThreadsWriteWholeRows() throws IOException {
    Path csv = directory.resolve("results.csv");
    Results results = Results.create(csv);

    IntStream.rangeClosed(1, 200)
        .parallel()
        .forEach(round -> results.accept(new Row("s", "v", "c", round, "m", round)));

    assertThat(Results.read(csv))
        .extracting(Row::value)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, 200).mapToObj(Double::valueOf).toList());
  }

  @Test
  void whatIsNoNumberIsRefused() {
    for (double value : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Row("drain", "", "a", 1, "p50_ms", value))
          .withMessageContaining("p50_ms of a in drain");
    }
    assertThatIllegalArgumentException().isThrownBy(() -> new Row("drain", "", "a", 0, "lost", 0));
  }
}
