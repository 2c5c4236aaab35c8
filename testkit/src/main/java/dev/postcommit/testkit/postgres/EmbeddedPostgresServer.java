package dev.postcommit.testkit.postgres;

import dev.postcommit.testkit.process.Guard;
import dev.postcommit.testkit.process.GuardedProcess;
import dev.postcommit.testkit.process.Ports;
import dev.postcommit.testkit.process.Signal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class EmbeddedPostgresServer implements PostgresServer {

  private static final Logger log = LoggerFactory.getLogger(EmbeddedPostgresServer.class);

  private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);

  private static @Nullable PostgresServer sharedServer;

  private final Guard guard;
  private final PostgresInstallation installation;
  private final Path data;
  private final int port = Ports.free();
  private final Map<String, String> settings;
  private final Map<String, String> environment;
  private final PooledDatabase maintenance;
  private final Set<PooledDatabase> databases = ConcurrentHashMap.newKeySet();
  private final AtomicInteger databasesCreated = new AtomicInteger();

  private final boolean shared;

  private volatile GuardedProcess postmaster;
  private boolean closed;

  private EmbeddedPostgresServer(
      Guard guard,
      PostgresInstallation installation,
      Map<String, String> settings,
      Map<String, String> files,
      Map<String, String> environment,
      boolean shared) {
    this.guard = guard;
    this.installation = installation;
    this.settings = settings;
    this.environment = environment;
    this.shared = shared;
    this.data = guard.directory().resolve("data");
    installation.createCluster(guard.directory(), data, files);
    this.postmaster = launch();
    this.maintenance = new PooledDatabase("postgres", port, database -> {});
  }

  static synchronized PostgresServer shared() {
    if (sharedServer == null) {
      sharedServer = new BuilderImpl().start(true);
    }
    return sharedServer;
  }

  @Override
  public String jdbcUrl() {
    return maintenance.jdbcUrl();
  }

  @Override
  public String username() {
    return PooledDatabase.USERNAME;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public DataSource dataSource() {
    return maintenance.dataSource();
  }

  @Override
  public PostgresDatabase createDatabase() {
    return create("");
  }

  @Override
  public PostgresDatabase createDatabase(PostgresDatabase template) {
    execute(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '%s'"
            .formatted(template.name()));
    return create(" TEMPLATE " + template.name());
  }

  private PostgresDatabase create(String template) {
    String name = "test_" + databasesCreated.incrementAndGet();
    execute("CREATE DATABASE " + name + template);
    PooledDatabase database = new PooledDatabase(name, port, this::drop);
    databases.add(database);
    return database;
  }

  @Override
  public synchronized void stopImmediate() {
    stop(Signal.QUIT);
    log.info("Postgres on port {} stopped as in a crash", port);
  }

  @Override
  public synchronized void crashASession() {
    try (Connection victim = connect();
        Connection witness = connect();
        ResultSet pid = victim.createStatement().executeQuery("SELECT pg_backend_pid()")) {
      pid.next();
      ProcessHandle.of(pid.getLong(1)).orElseThrow().destroyForcibly();
      awaitCutOff(witness);
    } catch (SQLException e) {
      throw new IllegalStateException("no session crashed on port " + port, e);
    }
    awaitConnections(postmaster);
    evictConnections();
    log.info("Postgres on port {} recovered from the crash of a session", port);
  }

  /** Postgres has noticed the crash of one session once it ends another. */
  private void awaitCutOff(Connection session) throws SQLException {
    long begin = System.nanoTime();
    while (session.isValid(1)) {
      if (System.nanoTime() - begin > STOP_TIMEOUT.toNanos()) {
        throw new IllegalStateException("Postgres on port " + port + " survived a crash");
      }
    }
  }

  @Override
  public synchronized void restart() {
    if (closed) {
      throw new IllegalStateException("Postgres on port " + port + " is closed");
    }
    stop(Signal.INT);
    postmaster = launch();
  }

  @Override
  public synchronized void close() {
    if (!closed && !shared) {
      closed = true;
      databases.forEach(PooledDatabase::closePool);
      maintenance.closePool();
      // Its data is deleted, too, so a clean shutdown is not needed.
      postmaster.end(Signal.QUIT, STOP_TIMEOUT);
      guard.close();
      log.info("Postgres on port {} closed", port);
    }
  }

  private GuardedProcess launch() {
    List<String> arguments = new ArrayList<>(List.of("-D", data.toString()));
    Map<String, String> all = new LinkedHashMap<>(settings);
    all.put("port", Integer.toString(port));
    all.put("listen_addresses", Ports.HOST);
    all.put("unix_socket_directories", "");
    all.forEach((name, value) -> arguments.addAll(List.of("-c", name + "=" + value)));
    long begin = System.nanoTime();
    GuardedProcess process =
        guard.run(
            "postgres",
            Signal.QUIT,
            installation.command("postgres", arguments),
            environment,
            guard.directory().resolve("postgres.log"));
    awaitConnections(process);
    log.info(
        "Postgres listens on port {} after {} ms", port, (System.nanoTime() - begin) / 1_000_000);
    return process;
  }

  private void awaitConnections(GuardedProcess process) {
    long begin = System.nanoTime();
    do {
      try {
        connect().close();
        return;
      } catch (SQLException e) {
        if (System.nanoTime() - begin > START_TIMEOUT.toNanos()) {
          break;
        }
      }
    } while (!process.awaitExit(Duration.ofMillis(20)));
    String tail = process.outputTail();
    process.kill();
    throw new IllegalStateException("Postgres did not start on port " + port + ":\n" + tail);
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(
        PooledDatabase.jdbcUrl("postgres", port), PooledDatabase.USERNAME, "");
  }

  private void stop(Signal signal) {
    postmaster.end(signal, STOP_TIMEOUT);
    evictConnections();
  }

  private void evictConnections() {
    maintenance.evictConnections();
    databases.forEach(PooledDatabase::evictConnections);
  }

  private void drop(PooledDatabase database) {
    databases.remove(database);
    if (postmaster.alive()) {
      execute("DROP DATABASE IF EXISTS " + database.name() + " WITH (FORCE)");
    }
  }

  private void execute(String sql) {
    try (Connection connection = dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql + " failed on port " + port, e);
    }
  }

  static final class BuilderImpl implements Builder {

    private final Map<String, String> settings = new LinkedHashMap<>();
    private final Map<String, String> files = new LinkedHashMap<>();
    private final Map<String, String> environment = new LinkedHashMap<>();

    BuilderImpl() {
      settings.put("max_connections", "200");
      settings.put("timezone", "UTC");
    }

    @Override
    public Builder setting(String name, String value) {
      settings.put(name, value);
      return this;
    }

    @Override
    public Builder file(String name, String content) {
      files.put(name, content);
      return this;
    }

    @Override
    public Builder environment(String name, String value) {
      environment.put(name, value);
      return this;
    }

    @Override
    public PostgresServer start() {
      return start(false);
    }

    private PostgresServer start(boolean shared) {
      return start(PostgresInstallation.get(), shared);
    }

    /** Starts a server of another version. */
    PostgresServer start(PostgresInstallation installation) {
      return start(installation, false);
    }

    private PostgresServer start(PostgresInstallation installation, boolean shared) {
      Guard guard = Guard.open("postgres");
      try {
        return new EmbeddedPostgresServer(
            guard,
            installation,
            Map.copyOf(settings),
            Map.copyOf(files),
            Map.copyOf(environment),
            shared);
      } catch (RuntimeException | Error e) {
        guard.close();
        throw e;
      }
    }
  }
}
