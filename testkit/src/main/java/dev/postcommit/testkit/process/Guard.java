package dev.postcommit.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A temporary directory and the processes that work in it, all of which end with this JVM.
 *
 * <p>A small {@code sh} process holds the read end of a pipe whose write end only this JVM has. The
 * pipe closes when the guard is closed, and also whenever the JVM dies. The shell then ends the
 * processes that are still running and removes the directory. The processes cannot watch the JVM
 * themselves, because they may be frozen.
 *
 * <p>A pid is written twice. The process writes it before it executes the program, so the guard
 * knows every program even if the JVM dies right after starting it. The JVM writes it before anyone
 * can freeze the process, which may not have got that far by then.
 *
 * <p>Where {@code setsid} exists, guard and processes run in sessions of their own: an interrupt
 * from the terminal then reaches only this JVM, which can stop them in its own order.
 */
public final class Guard implements AutoCloseable {

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

  /**
   * Arguments: directory. Each pid file holds a pid and the signal that ends that process. Where
   * nobody collects orphans, they stay as zombies, which are as good as gone. What is mounted in
   * the directory may still be in use by processes of other guards.
   */
  private static final String WATCH =
      """
      running() {
        kill -0 "$1" 2>/dev/null && ! grep -qs '^State:[[:space:]]*Z' "/proc/$1/status"
      }
      trap '' HUP INT TERM
      cd / || exit 1
      read -r _
      for file in "$1"/*.pid; do
        [ -f "$file" ] || continue
        read -r pid signal <"$file" || continue
        kill -"$signal" "$pid" 2>/dev/null || continue
        kill -CONT "$pid" 2>/dev/null
        tries=0
        while running "$pid"; do
          tries=$((tries + 1))
          [ "$tries" -le 100 ] || { kill -KILL "$pid" 2>/dev/null; break; }
          sleep 0.05
        done
      done
      grep -sF " $1/" /proc/mounts | while read -r _ mount _; do umount -l "$mount"; done
      rm -rf "$1" || { sleep 1; rm -rf "$1"; }
      """;

  /** Arguments: pid file, signal, command. */
  private static final String RUN =
      """
      echo "$$ $2" >"$1" || exit 1
      shift 2
      exec "$@"
      """;

  private static final List<String> SESSION = session();

  private final Path directory;
  private final Process watcher;
  private final AtomicInteger started = new AtomicInteger();
  private final Queue<GuardedProcess> processes = new ConcurrentLinkedQueue<>();

  private Guard(Path directory, Process watcher) {
    this.directory = directory;
    this.watcher = watcher;
  }

  /** Creates a directory whose name starts with {@code postcommit-} and {@code name}. */
  public static Guard open(String name) {
    try {
      Path directory = Files.createTempDirectory("postcommit-" + name + "-").toRealPath();
      List<String> command = new ArrayList<>(SESSION);
      command.addAll(List.of("sh", "-c", WATCH, "guard", directory.toString()));
      Process watcher =
          new ProcessBuilder(command)
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD)
              .start();
      return new Guard(directory, watcher);
    } catch (IOException e) {
      throw new UncheckedIOException("Could not start the guard of " + name + "; is sh there?", e);
    }
  }

  public Path directory() {
    return directory;
  }

  /** Runs {@code command} in the directory until it ends by itself or the guard ends it. */
  public GuardedProcess run(
      String name, Signal end, List<String> command, Map<String, String> environment, Path output) {
    String pidName = name + "-" + started.incrementAndGet();
    Path pidFile = directory.resolve(pidName + ".pid");
    Path ownPidFile = directory.resolve(pidName + "-started.pid");
    List<String> guarded = new ArrayList<>(SESSION);
    guarded.addAll(List.of("sh", "-c", RUN, name, pidFile.toString(), end.name()));
    guarded.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(guarded)
            .directory(directory.toFile())
            .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(output.toFile()));
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      Files.writeString(ownPidFile, "%d %s%n".formatted(process.pid(), end.name()));
      // Its pid may be reused once it has ended.
      var unused = process.onExit().thenRun(() -> deleteQuietly(pidFile, ownPidFile));
      GuardedProcess run = new GuardedProcess(name, process, output);
      processes.add(run);
      return run;
    } catch (IOException e) {
      throw new UncheckedIOException("Could not start " + name + ": " + command.get(0), e);
    }
  }

  /** Ends what is still running, removes the directory and returns when both are done. */
  @Override
  public void close() {
    try {
      watcher.getOutputStream().close();
      if (!watcher.waitFor(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("Could not clean up " + directory + " in " + CLOSE_TIMEOUT);
      }
      // A process that was ended may appear alive a moment longer.
      processes.forEach(process -> process.awaitExit(CLOSE_TIMEOUT));
    } catch (IOException e) {
      throw new UncheckedIOException("Could not close the guard of " + directory, e);
    } catch (InterruptedException e) {
      // The guard goes on without us.
      Thread.currentThread().interrupt();
    }
  }

  private static void deleteQuietly(Path... files) {
    for (Path file : files) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        // The directory may be in the middle of being deleted.
      }
    }
  }

  private static List<String> session() {
    return Shell.succeeds("command -v setsid") ? List.of("setsid") : List.of();
  }
}
