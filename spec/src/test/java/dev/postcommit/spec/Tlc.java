package dev.postcommit.spec;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import tlc2.TLC;

/** Runs TLC, each time in a process of its own, since it keeps its state in static fields. */
final class Tlc {
  private Tlc() {}

  /**
   * Checks a model.
   *
   * @param specification the directory of the modules
   * @param scratch a directory for all that TLC writes, its temporary files included
   * @return what TLC printed
   */
  static String check(Path specification, Model model, Path scratch)
      throws IOException, InterruptedException {
    // TLC writes beside the module, if it writes a trace.
    try (Stream<Path> modules = Files.list(specification)) {
      for (Path module : modules.filter(file -> file.toString().endsWith(".tla")).toList()) {
        Files.copy(module, scratch.resolve(module.getFileName()));
      }
    }
    Path output = scratch.resolve("output");
    Process process =
        new ProcessBuilder(command(model, scratch))
            .directory(scratch.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!process.waitFor(1, TimeUnit.HOURS)) {
        throw new IllegalStateException(model.name() + " takes longer than an hour");
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    return Files.readString(output);
  }

  private static List<String> command(Model model, Path scratch) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Xmx1g",
        "-Djava.io.tmpdir=" + scratch,
        "-cp",
        jar(),
        TLC.class.getName(),
        "-nowarning",
        "-difftrace",
        "-metadir",
        scratch.resolve("states").toString(),
        "-config",
        model.configuration().toAbsolutePath().toString(),
        model.module());
  }

  private static String jar() {
    try {
      return new File(TLC.class.getProtectionDomain().getCodeSource().getLocation().toURI())
          .getPath();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
