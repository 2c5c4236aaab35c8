package dev.postcommit;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How the sources of this module are divided into packages. */
class PackageRulesTest {
  private static final Path SOURCES = Path.of("src", "main", "java");
  private static final int MOST_CLASSES = 25;
  private static final String INTERNAL = "dev.postcommit.internal";
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");

  /** An import of a class of ours, or its full name in a text. */
  private static final Pattern USE =
      Pattern.compile("\\b(dev\\.postcommit(?:\\.[a-z]\\w*)*)\\.[A-Z]");

  private static Map<Path, String> sources() throws IOException {
    Map<Path, String> sources = new TreeMap<>();
    try (Stream<Path> files = Files.walk(SOURCES)) {
      files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("package-info.java"))
          .forEach(file -> sources.put(file, read(file)));
    }
    return sources;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String packageOf(String source) {
    Matcher found = PACKAGE.matcher(source);
    assertThat(found.find()).isTrue();
    return found.group(1);
  }

  /** The internal packages that each internal package uses. */
  private static Map<String, Set<String>> uses(Map<Path, String> sources) {
    Map<String, Set<String>> uses = new TreeMap<>();
    sources
        .values()
        .forEach(
            source -> {
              String from = packageOf(source);
              Matcher use = USE.matcher(source);
              while (from.startsWith(INTERNAL) && use.find()) {
                String to = use.group(1);
                if (to.startsWith(INTERNAL) && !to.equals(from)) {
                  uses.computeIfAbsent(from, same -> new TreeSet<>()).add(to);
                }
              }
            });
    return uses;
  }

  /** The packages on the way from one back to itself; empty if there is no such way. */
  private static List<String> cycle(String from, Map<String, Set<String>> uses) {
    List<String> way = new ArrayList<>();
    return leads(from, from, uses, way, new TreeSet<>()) ? way : List.of();
  }

  private static boolean leads(
      String from, String to, Map<String, Set<String>> uses, List<String> way, Set<String> seen) {
    way.add(from);
    for (String next : uses.getOrDefault(from, Set.of())) {
      if (next.equals(to) || (seen.add(next) && leads(next, to, uses, way, seen))) {
        return true;
      }
    }
    way.remove(way.size() - 1);
    return false;
  }

  @Test
  @DisplayName("no package has more classes than one can keep in mind")
  void packagesAreSmall() throws IOException {
    Map<String, Long> sizes =
        sources().values().stream()
            .collect(groupingBy(PackageRulesTest::packageOf, TreeMap::new, counting()));
    assertThat(sizes).hasSizeGreaterThan(10);
    assertThat(sizes)
        .allSatisfy((name, size) -> assertThat(size).isLessThanOrEqualTo(MOST_CLASSES));
  }

  @Test
  @DisplayName("internal packages do not depend on each other in a circle")
  void internalPackagesHaveNoCycles() throws IOException {
    Map<String, Set<String>> uses = uses(sources());
    assertThat(uses).hasSizeGreaterThan(10);
    assertThat(uses.keySet()).allSatisfy(name -> assertThat(cycle(name, uses)).isEmpty());
  }

  @Test
  @DisplayName("a circle would be found")
  void aCycleIsFound() {
    Map<String, Set<String>> uses =
        Map.of("a", Set.of("b", "d"), "b", Set.of("c"), "c", Set.of("a"), "d", Set.of());
    assertThat(cycle("a", uses)).containsExactly("a", "b", "c");
    assertThat(cycle("d", uses)).isEmpty();
  }
}
