package dev.postcommit.examples.packfinderz;

import dev.postcommit.demo.Main;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The launcher and the Makefiles in a directory of their own, with a build that is up to date: the
 * class path of the tests. So recipes run as they are, and no Maven runs within the build.
 */
final class Checkout {
  /** What the launcher's checksum is of no sources at all. */
  private static final String NO_SOURCES = "4294967295 0\n";

  private final Path root;

  Checkout(Path root) throws IOException {
    this.root = root;
    copy("postcommit");
    copy("Makefile");
    copy("examples/packfinderz/Makefile");
    Files.createSymbolicLink(
        root.resolve("examples/packfinderz/src"),
        Repository.ROOT.resolve("examples/packfinderz/src"));
    Files.createDirectories(root.resolve("demo/target/classes"));
    write("demo/target/classpath", classPath());
    write("target/launcher/demo.stamp", NO_SOURCES);
  }

  /** All but the classes of this module. */
  private static String classPath() {
    Path module = Path.of("").toAbsolutePath();
    String jars =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !Path.of(entry).startsWith(module))
            .collect(Collectors.joining(File.pathSeparator));
    String demo = Main.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    if (!jars.contains(demo.replaceFirst("/$", ""))) {
      throw new IllegalStateException("the launcher's main class is not in " + jars);
    }
    return jars;
  }

  private void copy(String file) throws IOException {
    Files.createDirectories(root.resolve(file).getParent());
    Files.copy(Repository.ROOT.resolve(file), root.resolve(file));
  }

  private void write(String file, String text) throws IOException {
    Files.createDirectories(root.resolve(file).getParent());
    Files.writeString(root.resolve(file), text);
  }

  /** Runs the recipe of a target, where its Makefile is. */
  ShellCommand run(String makefile, String target, Map<String, String> environment)
      throws IOException {
    Path file = root.resolve(makefile);
    return new ShellCommand(ShellCommand.recipe(file, target), file.getParent(), environment);
  }
}
