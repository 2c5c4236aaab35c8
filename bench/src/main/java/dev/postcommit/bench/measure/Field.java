package dev.postcommit.bench.measure;

import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The contenders of one run, each in its own JVM with its own class path. */
public final class Field implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofSeconds(60);
  private static final String OPTIONS = "-Xms256m -Xmx1g -XX:-UsePerfData";

  private final Processes processes = Processes.create();
  private final List<ContenderProcess> contenders = new ArrayList<>();
  private final Servers servers;
  private final Path home;

  private Field(Servers servers, Path home) {
    this.servers = servers;
    this.home = home;
  }

  /**
   * Starts their JVMs and creates their topics and tables.
   *
   * @param home the source tree, with the modules of the peers
   */
  public static Field start(Servers servers, Path home, List<Entrant> entrants) {
    Field field = new Field(servers, home);
    try {
      for (Entrant entrant : entrants) {
        servers.kafka().createTopic(entrant.id(), Servers.PARTITIONS);
        field.contenders.add(field.start(entrant, servers.postgres().jdbcUrl()));
      }
      return field;
    } catch (RuntimeException | Error e) {
      field.close();
      throw e;
    }
  }

  /** Starts a second instance of a contender, on its own database. */
  public ContenderProcess startTwin(Entrant entrant, PostgresDatabase database) {
    return start(entrant, database.jdbcUrl());
  }

  public List<ContenderProcess> contenders() {
    return contenders;
  }

  public static String options() {
    return OPTIONS;
  }

  private ContenderProcess start(Entrant entrant, String jdbcUrl) {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      server.setSoTimeout((int) START_TIMEOUT.toMillis());
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of(OPTIONS.split(" ")));
      command.addAll(List.of("-cp", classPath(entrant), entrant.main()));
      command.addAll(
          List.of(
              Integer.toString(server.getLocalPort()),
              jdbcUrl,
              servers.postgres().username(),
              servers.bootstrapServers(),
              entrant.id(),
              entrant.variant()));
      ChildProcess process = processes.start(home, Map.of(), command.toArray(String[]::new));
      try {
        ContenderProcess contender = new ContenderProcess(entrant, process, server.accept());
        contender.create();
        return contender;
      } catch (SocketTimeoutException e) {
        throw new ContenderException(entrant, "start its JVM", process.output());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String classPath(Entrant entrant) throws IOException {
    if (entrant.module().isEmpty()) {
      return System.getProperty("java.class.path");
    }
    Path target = home.resolve(Path.of("bench", "peers", entrant.module(), "target"));
    Path dependencies = target.resolve("classpath");
    if (!Files.exists(dependencies)) {
      throw new IllegalStateException(
          entrant.id() + " is not built; ./postcommit bench builds it: " + dependencies);
    }
    return target.resolve("classes") + File.pathSeparator + Files.readString(dependencies).strip();
  }

  @Override
  public void close() {
    contenders.forEach(ContenderProcess::close);
    processes.close();
  }
}
