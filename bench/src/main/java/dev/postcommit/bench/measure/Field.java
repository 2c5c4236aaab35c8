package dev.postcommit.bench.measure;

import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
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
  private static final int POLL_MILLIS = 200;
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
   * Starts their JVMs and creates their topics and tables. A contender that cannot be started, for
   * example because it is not built, is recorded and left out.
   *
   * @param home the source tree, with the modules of the peers
   * @throws IllegalStateException if no contender could be started
   */
  public static Field start(Servers servers, Path home, List<Entrant> entrants, Progress progress) {
    Field field = new Field(servers, home);
    try {
      for (Entrant entrant : entrants) {
        progress.say("starting " + entrant.id());
        servers.kafka().createTopic(entrant.id(), Servers.PARTITIONS);
        try {
          field.contenders.add(field.start(entrant, servers.postgres().jdbcUrl()));
        } catch (ContenderException e) {
          progress.failed("start", entrant, e);
        }
      }
      if (field.contenders.isEmpty()) {
        throw new IllegalStateException("no contender could be started");
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
        ContenderProcess contender =
            new ContenderProcess(entrant, process, accept(server, process));
        contender.create();
        return contender;
      } catch (SocketTimeoutException e) {
        process.kill();
        throw new ContenderException("its JVM did not start: " + process.output());
      } catch (ContenderException e) {
        process.kill();
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until the JVM calls, has ended or takes too long. */
  private static Socket accept(ServerSocket server, ChildProcess process) throws IOException {
    server.setSoTimeout(POLL_MILLIS);
    long end = System.nanoTime() + START_TIMEOUT.toNanos();
    while (true) {
      try {
        return server.accept();
      } catch (SocketTimeoutException e) {
        if (!process.alive() || System.nanoTime() > end) {
          throw e;
        }
      }
    }
  }

  private String classPath(Entrant entrant) throws IOException {
    if (entrant.module().isEmpty()) {
      return System.getProperty("java.class.path");
    }
    Path target = home.resolve(Path.of("bench", "peers", entrant.module(), "target"));
    Path dependencies = target.resolve("classpath");
    if (!Files.exists(dependencies)) {
      throw new ContenderException("it is not built: there is no " + home.relativize(dependencies));
    }
    return target.resolve("classes") + File.pathSeparator + Files.readString(dependencies).strip();
  }

  @Override
  public void close() {
    contenders.forEach(ContenderProcess::close);
    processes.close();
  }
}
