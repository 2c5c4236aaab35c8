package dev.postcommit.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The models hold, and none does without the guard that a revert leaves out.
 *
 * <p>With {@code -Dspec.large=true} the large models are checked too, which takes long.
 */
class SpecificationIT {
  private static final Path SPECIFICATION = Path.of("src", "main", "tla");

  private final ExecutorService runs = Executors.newFixedThreadPool(2);

  @TempDir Path scratch;

  @AfterEach
  void close() {
    runs.shutdownNow();
  }

  @TestFactory
  Stream<DynamicTest> modelsHoldAndRevertsDoNot() throws IOException {
    List<Model> models = new ArrayList<>();
    models.addAll(Model.in(SPECIFICATION.resolve("models")));
    models.addAll(Model.in(SPECIFICATION.resolve("reverts")));
    if (Boolean.getBoolean("spec.large")) {
      models.addAll(Model.in(SPECIFICATION.resolve("large")));
    }
    // All are begun at once, two at a time; the tests wait for them in turn.
    List<DynamicTest> tests = new ArrayList<>();
    for (Model model : models) {
      Path directory = scratch.resolve(String.valueOf(tests.size()));
      Future<String> run =
          runs.submit(
              () -> {
                assertThat(directory.toFile().mkdir()).isTrue();
                return Tlc.check(SPECIFICATION, model, directory);
              });
      String kind = model.configuration().getName(model.configuration().getNameCount() - 2) + "/";
      tests.add(dynamicTest(kind + model.name(), () -> assertExpected(model, run.get())));
    }
    return tests.stream();
  }

  private static void assertExpected(Model model, String output) {
    assertThat(output)
        .contains(
            model
                .violates()
                .map(invariant -> "Error: Invariant " + invariant + " is violated.")
                .orElse("Model checking completed. No error has been found."));
  }
}
