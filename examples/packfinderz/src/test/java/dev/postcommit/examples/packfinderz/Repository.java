package dev.postcommit.examples.packfinderz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The files of this repository. */
final class Repository {
  static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

  private static final Set<String> NOT_SOURCES = Set.of("target", "node_modules", ".git");

  private Repository() {}

  static String read(String file) throws IOException {
    return Files.readString(ROOT.resolve(file));
  }

  /** All files that go into jars, of all modules. */
  static List<Path> mainSources() throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes unused) {
            return NOT_SOURCES.contains(directory.getFileName().toString())
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes unused) {
            if (file.toString().contains("/src/main/")) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }

  /** The text of a file, whatever it holds. */
  static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
  }
}
