package dev.postcommit.spec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A configuration of a module: constants, and what TLC is to check.
 *
 * @param configuration its file, whose second line says what is expected; the first part of its
 *     name, up to a dash, is the module's
 * @param violates what it is to violate; empty if everything is to hold
 */
record Model(Path configuration, Optional<String> violates) {
  private static final Pattern EXPECTED = Pattern.compile("\\\\\\* (?:Holds|Violates (\\w+))\\.");

  /** The models of a directory. */
  static List<Model> in(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".cfg"))
          .sorted()
          .map(Model::of)
          .toList();
    }
  }

  private static Model of(Path configuration) {
    try {
      Matcher expected = EXPECTED.matcher(Files.readAllLines(configuration).get(1));
      if (!expected.matches()) {
        throw new IllegalArgumentException(configuration + " does not say what is expected");
      }
      return new Model(configuration, Optional.ofNullable(expected.group(1)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String name() {
    return configuration.getFileName().toString().replace(".cfg", "");
  }

  /** The file name of its module. */
  String module() {
    return name().split("-", 2)[0] + ".tla";
  }
}
