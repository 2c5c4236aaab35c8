package dev.postcommit.structure;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Reads the main sources of all modules of a repository. */
final class Sources {
  private static final Path MAIN = Path.of("src", "main", "java");
  private static final Set<String> SKIPPED = Set.of("src", "target", "node_modules");

  private Sources() {}

  static List<SourceFile> of(Path repository) throws IOException {
    List<SourceFile> sources = new ArrayList<>();
    for (Path module : modules(repository)) {
      sources.addAll(of(repository.relativize(module).toString(), module.resolve(MAIN)));
    }
    return sources;
  }

  private static List<Path> modules(Path repository) throws IOException {
    List<Path> modules = new ArrayList<>();
    Files.walkFileTree(
        repository,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            String name = directory.getFileName().toString();
            if (SKIPPED.contains(name) || name.startsWith(".")) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            if (Files.isDirectory(directory.resolve(MAIN))) {
              modules.add(directory);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return modules;
  }

  private static List<SourceFile> of(String module, Path directory) throws IOException {
    List<SourceFile> sources = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : (Iterable<Path>) files.filter(Sources::isClass)::iterator) {
        sources.add(
            SourceFile.parse(module, file.getFileName().toString(), Files.readString(file)));
      }
    }
    return sources;
  }

  private static boolean isClass(Path file) {
    return file.toString().endsWith(".java") && !file.endsWith("package-info.java");
  }
}
