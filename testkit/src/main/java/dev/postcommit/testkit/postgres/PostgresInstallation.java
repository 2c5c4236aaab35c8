package dev.postcommit.testkit.postgres;

import dev.postcommit.testkit.process.Guard;
import dev.postcommit.testkit.process.Shell;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.XZInputStream;

/**
 * The programs of Postgres and an empty cluster to copy, unpacked once for all servers of a JVM.
 *
 * <p>Postgres refuses to run as root, but many containers build as root. The programs then run in a
 * user namespace of their own, in which root has no privileges, or as the user {@code nobody} where
 * namespaces are forbidden.
 */
final class PostgresInstallation {

  private static final String NOBODY = "65534";
  private static final List<String> USER_NAMESPACE = List.of("unshare", "-U");
  private static final List<String> AS_NOBODY =
      List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups");

  private static @Nullable PostgresInstallation installation;

  private final Path directory;
  private final Path programs;
  private final List<String> prefix = withoutRoot();

  private PostgresInstallation(Path directory) {
    this(directory, directory.resolve("bin"));
  }

  private PostgresInstallation(Path directory, Path programs) {
    this.directory = directory;
    this.programs = programs;
    if (programs.startsWith(directory)) {
      unpack(directory);
    }
    handOver(directory);
    Shell.run(
        command(
            "initdb",
            List.of(
                "--pgdata=" + emptyCluster(),
                "--username=" + PooledDatabase.USERNAME,
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync",
                "--no-instructions")));
  }

  private static void unpack(Path directory) {
    try (InputStream archive = archive()) {
      Shell.run(List.of("tar", "-x", "-C", directory.toString()), new XZInputStream(archive));
    } catch (IOException e) {
      throw new UncheckedIOException("Could not unpack Postgres into " + directory, e);
    }
  }

  /** Returns an installation of programs that are already in a directory of this machine. */
  static PostgresInstallation of(Path programs) {
    Guard guard = Guard.open("postgres-cluster");
    try {
      return new PostgresInstallation(guard.directory(), programs);
    } catch (RuntimeException | Error e) {
      guard.close();
      throw e;
    }
  }

  /** Returns the installation of this JVM, created by the first call and deleted when it ends. */
  static synchronized PostgresInstallation get() {
    if (installation == null) {
      Guard guard = Guard.open("postgres-programs");
      try {
        installation = new PostgresInstallation(guard.directory());
      } catch (RuntimeException | Error e) {
        guard.close();
        throw e;
      }
    }
    return installation;
  }

  /**
   * Creates a new cluster in {@code data}; {@code directory} must contain nothing else.
   *
   * @param files more files for {@code data}, readable only by the server
   */
  void createCluster(Path directory, Path data, Map<String, String> files) {
    Shell.run(List.of("cp", "-Rp", emptyCluster().toString(), data.toString()));
    files.forEach((name, content) -> write(data.resolve(name), content));
    handOver(directory);
  }

  private static void write(Path file, String content) {
    try {
      Files.writeString(file, content);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException e) {
      throw new UncheckedIOException("Could not write " + file, e);
    }
  }

  List<String> command(String program, List<String> arguments) {
    List<String> command = new ArrayList<>(prefix);
    command.add(programs.resolve(program).toString());
    command.addAll(arguments);
    return command;
  }

  private Path emptyCluster() {
    return directory.resolve("empty-cluster");
  }

  private void handOver(Path directory) {
    if (prefix.equals(AS_NOBODY)) {
      Shell.run(List.of("chown", "-R", NOBODY + ":" + NOBODY, directory.toString()));
    }
  }

  private static InputStream archive() {
    String name = archiveName(System.getProperty("os.name"), System.getProperty("os.arch"));
    InputStream archive = PostgresInstallation.class.getResourceAsStream("/" + name);
    if (archive == null) {
      throw new IllegalStateException(
          name
              + " is not on the class path; add the artifact for this system of the group"
              + " io.zonky.test.postgres");
    }
    return archive;
  }

  static String archiveName(String osName, String osArch) {
    String system = osName.toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : "linux";
    boolean arm = osArch.equals("aarch64") || osArch.equals("arm64");
    return "postgres-%s-%s.txz".formatted(system, arm ? "arm_64" : "x86_64");
  }

  private static List<String> withoutRoot() {
    if (!Shell.succeeds("[ \"$(id -u)\" = 0 ]")) {
      return List.of();
    }
    for (List<String> prefix : List.of(USER_NAMESPACE, AS_NOBODY)) {
      if (Shell.succeeds(
          "uid=$(%s id -u) && [ \"$uid\" != 0 ]".formatted(String.join(" ", prefix)))) {
        return prefix;
      }
    }
    throw new IllegalStateException(
        "Postgres does not run as root, and neither unshare nor setpriv is allowed to change that;"
            + " run the tests as another user");
  }
}
