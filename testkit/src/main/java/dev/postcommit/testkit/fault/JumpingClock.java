package dev.postcommit.testkit.fault;

import dev.postcommit.testkit.process.Guard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A clock that a test can set forwards and back while programs go by it.
 *
 * <p>Programs that are started with its {@link #environment} are told the time of this machine and
 * an offset, by libfaketime, as of Debian's package {@code faketime}; Maven has none. Clocks that
 * only measure durations stay as they are, as they do when an operator or NTP sets the time of a
 * machine.
 */
public final class JumpingClock implements AutoCloseable {
  private static final Path LIBRARIES = Path.of("/usr/lib");
  private static final Path SHARED_MEMORY = Path.of("/dev/shm");
  private static final Pattern LEFT_BEHIND =
      Pattern.compile("(?:sem\\.faketime_sem|faketime_shm)_(\\d+)");
  private static final String LIBRARY = "faketime/libfaketimeMT.so.1";

  private final Guard guard;
  private final Path library;
  private final Path offset;

  private JumpingClock(Guard guard, Path library) {
    this.guard = guard;
    this.library = library;
    this.offset = guard.directory().resolve("offset");
  }

  /** Why there can be none here, with what to install; or empty if there can. */
  public static Optional<String> missing() {
    return library().isPresent()
        ? Optional.empty()
        : Optional.of("there is no " + LIBRARY + " below " + LIBRARIES + "; install faketime");
  }

  /** A clock that is right. */
  public static JumpingClock create() {
    Path library = library().orElseThrow(() -> new IllegalStateException(missing().orElse("")));
    Guard guard = Guard.open("clock");
    try {
      // Servers may have to run as another user than these tests.
      Files.setPosixFilePermissions(
          guard.directory(), PosixFilePermissions.fromString("rwxr-xr-x"));
      JumpingClock clock = new JumpingClock(guard, library);
      clock.set(Duration.ZERO);
      return clock;
    } catch (IOException e) {
      guard.close();
      throw new UncheckedIOException(e);
    } catch (RuntimeException | Error e) {
      guard.close();
      throw e;
    }
  }

  /** Multi-architecture systems have it below the name of the architecture. */
  private static Optional<Path> library() {
    try (Stream<Path> directories = Files.list(LIBRARIES)) {
      return Stream.concat(Stream.of(LIBRARIES), directories)
          .map(directory -> directory.resolve(LIBRARY))
          .filter(Files::isReadable)
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** What has a program go by this clock. */
  public Map<String, String> environment() {
    return Map.of(
        "LD_PRELOAD",
        library.toString(),
        "FAKETIME_TIMESTAMP_FILE",
        offset.toString(),
        // Else each process notices a jump at another time.
        "FAKETIME_NO_CACHE",
        "1",
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1",
        // Else waits of a JVM end early, in a loop of very many.
        "FAKETIME_FORCE_MONOTONIC_FIX",
        "0");
  }

  /** Sets the clock to the time of this machine and {@code ahead}, which may be negative. */
  public void set(Duration ahead) {
    Path next = offset.resolveSibling("next");
    try {
      Files.writeString(next, "%+d\n".formatted(ahead.toSeconds()));
      Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-r--r--"));
      Files.move(next, offset, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("Could not set " + offset, e);
    }
  }

  /** Removes the clock, after all programs that go by it have ended. */
  @Override
  public void close() {
    guard.close();
    forget();
  }

  /** The library leaves something behind for each process that was killed. */
  private static void forget() {
    try (Stream<Path> files = Files.list(SHARED_MEMORY)) {
      for (Path file : files.toList()) {
        Matcher left = LEFT_BEHIND.matcher(file.getFileName().toString());
        if (left.matches() && !Files.exists(Path.of("/proc", left.group(1)))) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      // Others may clean up at the same time.
    }
  }
}
