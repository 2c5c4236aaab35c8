package dev.postcommit.examples.polyshop.run;

import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The services, each a process of its own, none of which outlives this one. */
final class Fleet implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(2);
  private static final Duration END = Duration.ofSeconds(30);
  private static final Duration LOOK = Duration.ofMillis(50);
  private static final int TAIL_LINES = 25;
  private static final Pattern PORT = Pattern.compile("ready on port (\\d+)");

  private final Processes processes = Processes.create();
  private final Map<Service, ChildProcess> running = new ConcurrentHashMap<>();
  private final Map<Service, List<ChildProcess>> all = new EnumMap<>(Service.class);
  private final Servers servers;
  private final Path directory;

  /**
   * A fleet without ships.
   *
   * @param directory that of the example, where services of other languages are
   */
  Fleet(Servers servers, Path directory) {
    this.servers = servers;
    this.directory = directory;
  }

  void start(Service service) {
    ChildProcess process = launch(service);
    all.computeIfAbsent(service, unused -> new ArrayList<>()).add(process);
    running.put(service, process);
  }

  private ChildProcess launch(Service service) {
    if (service.program() instanceof Service.Java java) {
      Processes.Builder builder =
          processes
              .java(java.main())
              // Quick to start rather than quick in the long run
              .jvmOptions("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")
              .jvmOptions("-Xmx128m", "-Djava.io.tmpdir=.")
              .environment("DATABASE_JDBC_URL", servers.jdbcUrl(service))
              .environment("DATABASE_USER", servers.postgres().username());
      environment(service).forEach(builder::environment);
      return builder.start();
    }
    Service.Command command = (Service.Command) service.program();
    return processes.start(
        directory, environment(service), command.interpreter(), command.script());
  }

  private Map<String, String> environment(Service service) {
    return Map.of(
        "SERVICE_NAME",
        service.serviceName(),
        "DATABASE_URL",
        servers.url(service),
        "KAFKA_BOOTSTRAP_SERVERS",
        servers.kafka().bootstrapServers());
  }

  /** Ends a service at once, by SIGKILL, and starts it again. */
  void killAndStart(Service service) {
    process(service).kill();
    start(service);
  }

  /**
   * Waits until a service says that it is ready.
   *
   * @throws IllegalStateException with the end of its log if it ends, or is not in time
   */
  void awaitReady(Service service) throws InterruptedException {
    long begin = System.nanoTime();
    while (!process(service).output().contains(service.serviceName() + " ready")) {
      check(service);
      if (System.nanoTime() - begin > START.toNanos()) {
        throw failure(service, "is not ready after " + START.toSeconds() + " s");
      }
      Thread.sleep(LOOK.toMillis());
    }
  }

  /** Throws with the end of its log if a service has ended by itself. */
  void check(Service service) {
    if (!process(service).alive()) {
      throw failure(service, "has ended by itself");
    }
  }

  /** Where a service answers, if it is ready. */
  Optional<URI> address(Service service) {
    Matcher matcher = PORT.matcher(process(service).output());
    return matcher.find()
        ? Optional.of(URI.create("http://127.0.0.1:" + matcher.group(1)))
        : Optional.empty();
  }

  /** What all processes of a service have logged. */
  String log(Service service) {
    StringBuilder log = new StringBuilder();
    all.getOrDefault(service, List.of()).forEach(process -> log.append(process.output()));
    return log.toString();
  }

  /** Asks all services to end, and waits until they have. */
  void stop() {
    running.values().forEach(ChildProcess::terminate);
    for (Service service : running.keySet()) {
      var unused = process(service).awaitExit(END);
    }
  }

  private ChildProcess process(Service service) {
    ChildProcess process = running.get(service);
    if (process == null) {
      throw new IllegalStateException(service.serviceName() + " was not started");
    }
    return process;
  }

  /** What is wrong with a service, with the end of its log. */
  IllegalStateException failure(Service service, String what) {
    List<String> lines = process(service).output().lines().toList();
    String tail =
        String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    return new IllegalStateException(
        "%s %s; the end of its log:\n%s".formatted(service.serviceName(), what, tail));
  }

  @Override
  public void close() {
    processes.close();
  }
}
