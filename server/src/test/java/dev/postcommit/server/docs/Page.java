package dev.postcommit.server.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A page of the documents.
 *
 * @param path where it is
 * @param text what it says
 */
record Page(Path path, String text) {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Pattern FENCE = Pattern.compile("(?ms)^ *```\\w*$\\n(.*?)^ *```$");
  private static final Pattern SPAN = Pattern.compile("`([^`\\n]+)`");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.+?) *$");

  /** Every page there is: beside the root's pom, in docs and in ops. */
  static List<Page> all() throws IOException {
    return Stream.concat(files(ROOT, 1), Stream.of("docs", "ops").flatMap(Page::files))
        .filter(path -> path.toString().endsWith(".md"))
        .filter(path -> !path.toString().contains("node_modules"))
        .map(Page::read)
        .toList();
  }

  private static Stream<Path> files(String directory) {
    try {
      return files(ROOT.resolve(directory), Integer.MAX_VALUE);
    } catch (IOException e) {
      throw new AssertionError(directory, e);
    }
  }

  /** The files of a directory, if it is there. */
  static Stream<Path> files(Path directory, int depth) throws IOException {
    if (!Files.isDirectory(directory)) {
      return Stream.empty();
    }
    try (Stream<Path> files = Files.walk(directory, depth)) {
      return files.filter(Files::isRegularFile).sorted().toList().stream();
    }
  }

  static Page read(Path path) {
    try {
      return new Page(path, Files.readString(path));
    } catch (IOException e) {
      throw new AssertionError(path.toString(), e);
    }
  }

  /** The blocks of code. */
  List<String> blocks() {
    return FENCE.matcher(text).results().map(match -> match.group(1)).toList();
  }

  /** The page without its blocks of code. */
  String prose() {
    return FENCE.matcher(text).replaceAll("");
  }

  /** What stands between backquotes. */
  List<String> spans() {
    return SPAN.matcher(prose()).results().map(match -> match.group(1)).toList();
  }

  /** The names by which headings are linked to. */
  Set<String> anchors() {
    Set<String> anchors = new HashSet<>();
    HEADING.matcher(prose()).results().map(match -> anchor(match.group(1))).forEach(anchors::add);
    return anchors;
  }

  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-');
  }

  @Override
  public String toString() {
    return ROOT.relativize(path).toString();
  }
}
