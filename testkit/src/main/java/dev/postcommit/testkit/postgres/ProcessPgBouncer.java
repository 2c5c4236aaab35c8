package dev.postcommit.testkit.postgres;

import dev.postcommit.testkit.process.Guard;
import dev.postcommit.testkit.process.GuardedProcess;
import dev.postcommit.testkit.process.Ports;
import dev.postcommit.testkit.process.ProcessServer;
import dev.postcommit.testkit.process.Signal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

final class ProcessPgBouncer extends ProcessServer implements PgBouncer {

  /** Debian installs it outside the usual search path. */
  private static final List<Path> CANDIDATES =
      Stream.of("/usr/sbin", "/usr/local/sbin", "/usr/bin", "/usr/local/bin")
          .map(directory -> Path.of(directory, "pgbouncer"))
          .toList();

  private final Path program;
  private final Map<String, String> settings;
  private final int server;

  private ProcessPgBouncer(Guard guard, Path program, int server, Map<String, String> settings) {
    super("PgBouncer", guard, false);
    this.program = program;
    this.server = server;
    this.settings = settings;
  }

  static Optional<String> missing() {
    return program().isPresent()
        ? Optional.empty()
        : Optional.of("none of " + CANDIDATES + " is there; install PgBouncer to run this");
  }

  private static Optional<Path> program() {
    return CANDIDATES.stream().filter(Files::isExecutable).findFirst();
  }

  @Override
  protected GuardedProcess run(Guard in) {
    Path directory = in.directory();
    Path file = directory.resolve("pgbouncer.ini");
    try {
      Files.writeString(file, configuration());
    } catch (IOException e) {
      throw new UncheckedIOException("Could not write " + file, e);
    }
    List<String> command = new ArrayList<>(List.of(program.toString()));
    if (System.getProperty("user.name").equals("root")) {
      // It refuses to run as root.
      command.addAll(List.of("-u", "nobody"));
    }
    command.add(file.toString());
    return in.run("pgbouncer", Signal.KILL, command, Map.of(), directory.resolve("pgbouncer.log"));
  }

  private String configuration() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("listen_addr", Ports.HOST);
    all.put("listen_port", Integer.toString(port()));
    all.put("unix_socket_dir", "");
    all.put("auth_type", "any");
    all.put("pool_mode", "transaction");
    all.put("max_client_conn", "500");
    all.put("default_pool_size", "20");
    all.put("ignore_startup_parameters", "extra_float_digits");
    all.putAll(settings);
    return """
        [databases]
        * = host=%s port=%d user=%s
        [pgbouncer]
        %s
        """
        .formatted(
            Ports.HOST,
            server,
            PooledDatabase.USERNAME,
            all.entrySet().stream()
                .map(setting -> setting.getKey() + " = " + setting.getValue())
                .collect(Collectors.joining("\n")));
  }

  @Override
  protected boolean serves() {
    try (Connection connection =
        DriverManager.getConnection(jdbcUrl("postgres"), PooledDatabase.USERNAME, "")) {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  static final class BuilderImpl implements Builder {
    private final PostgresServer server;
    private final Map<String, String> settings = new LinkedHashMap<>();

    BuilderImpl(PostgresServer server) {
      this.server = server;
    }

    @Override
    public Builder setting(String name, String value) {
      settings.put(name, value);
      return this;
    }

    @Override
    public PgBouncer start() {
      Path program = program().orElseThrow(() -> new IllegalStateException(missing().orElse("")));
      Guard guard = Guard.open("pgbouncer");
      try {
        ProcessPgBouncer started =
            new ProcessPgBouncer(guard, program, server.port(), Map.copyOf(settings));
        started.launch();
        return started;
      } catch (RuntimeException | Error e) {
        guard.close();
        throw e;
      }
    }
  }
}
