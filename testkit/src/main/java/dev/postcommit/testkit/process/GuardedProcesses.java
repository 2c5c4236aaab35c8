package dev.postcommit.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

final class GuardedProcesses implements Processes {

  /** Arguments: directory, command. */
  private static final String WORK_IN =
      """
      cd "$1" || exit 1
      shift
      exec "$@"
      """;

  private final Guard guard = Guard.open("processes");
  private final AtomicInteger started = new AtomicInteger();

  @Override
  public Builder java(Class<?> main) {
    return new BuilderImpl(main);
  }

  @Override
  public ChildProcess start(Path directory, Map<String, String> environment, String... command) {
    String name = Path.of(command[0]).getFileName() + "-" + started.incrementAndGet();
    List<String> inDirectory =
        new ArrayList<>(List.of("sh", "-c", WORK_IN, name, directory.toAbsolutePath().toString()));
    inDirectory.addAll(List.of(command));
    Path output = guard.directory().resolve(name + ".log");
    return new Child(name, guard.run(name, Signal.KILL, inDirectory, environment, output));
  }

  @Override
  public void close() {
    guard.close();
  }

  private final class BuilderImpl implements Builder {

    private final Class<?> main;
    private final List<String> arguments = new ArrayList<>();
    private final List<String> options = new ArrayList<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final Set<String> classPath = ClassPath.current();
    private @Nullable Path output;

    BuilderImpl(Class<?> main) {
      this.main = main;
    }

    @Override
    public Builder arguments(String... arguments) {
      this.arguments.addAll(List.of(arguments));
      return this;
    }

    @Override
    public Builder jvmOptions(String... options) {
      this.options.addAll(List.of(options));
      return this;
    }

    @Override
    public Builder environment(String name, String value) {
      environment.put(name, value);
      return this;
    }

    @Override
    public Builder without(Class<?>... classes) {
      for (Class<?> left : classes) {
        ClassPath.remove(left, classPath);
      }
      return this;
    }

    @Override
    public Builder output(Path file) {
      output = file;
      return this;
    }

    @Override
    public ChildProcess start() {
      String name = main.getSimpleName() + "-" + started.incrementAndGet();
      // A killed JVM would leave its performance data behind.
      List<String> jvmOptions = new ArrayList<>(List.of("-XX:-UsePerfData"));
      jvmOptions.addAll(options);
      List<String> command =
          ClassPath.javaCommand(
              guard.directory().resolve(name + ".args"),
              classPath,
              jvmOptions,
              main.getName(),
              arguments);
      Path log = output == null ? guard.directory().resolve(name + ".log") : output;
      return new Child(name, guard.run(name, Signal.KILL, command, environment, log));
    }
  }

  private record Child(String name, GuardedProcess process) implements ChildProcess {

    @Override
    public long pid() {
      return process.pid();
    }

    @Override
    public boolean alive() {
      return process.alive();
    }

    @Override
    public Path outputFile() {
      return process.output();
    }

    @Override
    public String output() {
      try {
        return new String(Files.readAllBytes(process.output()), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException("Could not read the output of " + name, e);
      }
    }

    @Override
    public void terminate() {
      process.signal(Signal.TERM);
    }

    @Override
    public void kill() {
      process.kill();
    }

    @Override
    public void freeze() {
      process.freeze();
    }

    @Override
    public void thaw() {
      process.signal(Signal.CONT);
    }

    @Override
    public int awaitExit(Duration timeout) {
      if (!process.awaitExit(timeout)) {
        throw new IllegalStateException(
            "%s, pid %d, still runs after %s:%n%s"
                .formatted(name, pid(), timeout, process.outputTail()));
      }
      return process.exitCode();
    }
  }
}
