package dev.postcommit.testkit.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * The class path of this JVM, for JVMs started by it.
 *
 * <p>They inherit the options for compiler and garbage collector, so a JVM tuned for fast start,
 * such as that of a test, starts its servers fast, too.
 *
 * <p>Build tools may put a long class path into the manifest of a temporary jar that is deleted
 * before the child has read it all, so jars named in manifests are listed as well.
 */
public final class ClassPath {

  private ClassPath() {}

  /** Returns the command that runs {@code mainClass} in a new JVM with {@code options}. */
  public static List<String> javaCommand(
      Path argumentFile,
      Set<String> classPath,
      List<String> options,
      String mainClass,
      List<String> arguments) {
    try {
      Files.writeString(argumentFile, "-cp\n" + quote(String.join(File.pathSeparator, classPath)));
    } catch (IOException e) {
      throw new UncheckedIOException("Could not write " + argumentFile, e);
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("@" + argumentFile);
    command.addAll(inherited(ManagementFactory.getRuntimeMXBean().getInputArguments()));
    command.addAll(options);
    command.add(mainClass);
    command.addAll(arguments);
    return command;
  }

  static List<String> inherited(List<String> options) {
    return options.stream()
        .filter(
            option ->
                option.startsWith("-XX:TieredStopAtLevel=") || option.equals("-XX:+UseSerialGC"))
        .toList();
  }

  public static Set<String> current() {
    return expand(System.getProperty("java.class.path"));
  }

  /** Removes the entry that a class comes from, and jars whose manifests name that entry. */
  static void remove(Class<?> type, Set<String> entries) {
    String left = entryOf(type);
    entries.removeIf(entry -> expand(entry).contains(left));
  }

  private static String entryOf(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    if (source == null) {
      throw new IllegalArgumentException(type + " is of Java itself, and cannot be left out");
    }
    try {
      return Path.of(source.getLocation().toURI()).toAbsolutePath().toString();
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("no path: " + source.getLocation(), e);
    }
  }

  static Set<String> expand(String classPath) {
    Set<String> entries = new LinkedHashSet<>();
    Arrays.stream(classPath.split(File.pathSeparator))
        .filter(entry -> !entry.isEmpty())
        .map(entry -> Path.of(entry).toAbsolutePath())
        .forEach(entry -> add(entry, entries));
    return entries;
  }

  private static void add(Path entry, Set<String> entries) {
    if (entries.add(entry.toString()) && Files.isRegularFile(entry)) {
      for (String reference : manifestClassPath(entry)) {
        URI uri = entry.toUri().resolve(reference);
        if ("file".equals(uri.getScheme()) && Files.exists(Path.of(uri))) {
          add(Path.of(uri), entries);
        }
      }
    }
  }

  private static List<String> manifestClassPath(Path jar) {
    try (JarFile file = new JarFile(jar.toFile())) {
      Manifest manifest = file.getManifest();
      String value =
          manifest == null
              ? null
              : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
      return value == null ? List.of() : List.of(value.strip().split("\\s+"));
    } catch (IOException e) {
      // Not a jar: Java itself ignores it.
      return List.of();
    }
  }

  private static String quote(String argument) {
    return '"' + argument.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
