package dev.postcommit.testkit.postgres;

import dev.postcommit.testkit.contract.Programs;
import dev.postcommit.testkit.process.Shell;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Postgres as a distribution installs it. The archive of the testkit has the server alone; a dump
 * takes programs that are at least as new as their server, so that one comes with them.
 */
public final class PostgresPrograms {
  private static final List<String> NEEDED = List.of("postgres", "initdb", "pg_dump", "pg_restore");
  private static final List<Path> PLACES =
      List.of(
          Path.of("/usr/lib/postgresql"), Path.of("/opt/homebrew/opt"), Path.of("/usr/local/opt"));

  private final Path directory;
  private @Nullable PostgresInstallation installation;

  private PostgresPrograms(Path directory) {
    this.directory = directory;
  }

  /**
   * The newest that are installed; the test is skipped if there are none.
   *
   * @param more programs that have to be there besides those for a dump
   */
  public static PostgresPrograms installed(String... more) {
    List<String> needed = Stream.concat(NEEDED.stream(), Stream.of(more)).toList();
    Optional<Path> found =
        PLACES.stream()
            .filter(Files::isDirectory)
            .flatMap(PostgresPrograms::list)
            .map(version -> version.resolve("bin"))
            .filter(bin -> needed.stream().allMatch(name -> Files.isExecutable(bin.resolve(name))))
            .max(Comparator.naturalOrder());
    Programs.require(
        found.isPresent()
            ? Optional.empty()
            : Optional.of(
                "no directory of " + PLACES + " has " + needed + "; install Postgres to run this"));
    return new PostgresPrograms(found.orElseThrow());
  }

  private static Stream<Path> list(Path place) {
    try (Stream<Path> entries = Files.list(place)) {
      return entries.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts a server of this version, in a cluster of its own. */
  public PostgresServer start() {
    return new EmbeddedPostgresServer.BuilderImpl().start(PostgresInstallation.of(directory));
  }

  /** Starts a server of this version; all of them begin as copies of one cluster. */
  public synchronized PostgresServer start(PostgresServer.Builder settings) {
    if (installation == null) {
      installation = PostgresInstallation.of(directory);
    }
    return ((EmbeddedPostgresServer.BuilderImpl) settings).start(installation);
  }

  /** The command that runs a client program on a server. */
  public List<String> command(String program, PostgresServer server, String... arguments) {
    List<String> command = new ArrayList<>(List.of(directory.resolve(program).toString()));
    command.addAll(List.of("-h", "127.0.0.1", "-p", Integer.toString(server.port())));
    command.addAll(List.of("-U", server.username()));
    command.addAll(List.of(arguments));
    return command;
  }

  /** Runs a client program on a database, to its end. */
  public void run(String program, PostgresDatabase database, String... arguments) {
    String address = database.jdbcUrl().replaceFirst("^jdbc:", "").replaceFirst("\\?.*", "");
    List<String> command = new ArrayList<>(List.of(directory.resolve(program).toString()));
    command.addAll(List.of("--username=" + database.username(), "--dbname=" + address));
    command.addAll(List.of(arguments));
    Shell.run(command);
  }

  /** What a program writes that needs no database. */
  public String output(String program, String... arguments) {
    List<String> command = new ArrayList<>(List.of(directory.resolve(program).toString()));
    command.addAll(List.of(arguments));
    try {
      Process process = new ProcessBuilder(command).start();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
