package dev.postcommit.testkit.fault;

import dev.postcommit.testkit.process.Guard;
import dev.postcommit.testkit.process.Shell;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;

/**
 * A file system of a few megabytes in memory, which a test can fill up and empty again.
 *
 * <p>Only root may mount one. It is unmounted when it is closed, and also when the JVM ends in
 * whatever way; programs that still use it then see it until they end.
 */
public final class SmallDisk implements AutoCloseable {
  private static final int BLOCK = 4096;

  private final Guard guard;
  private final Path mount;
  private final Path ballast;

  private SmallDisk(Guard guard, Path mount) {
    this.guard = guard;
    this.mount = mount;
    this.ballast = mount.resolve("ballast");
  }

  /** Why none can be mounted here, or empty if one can. */
  public static Optional<String> missing() {
    try {
      mount(1).close();
      return Optional.empty();
    } catch (IllegalStateException | UncheckedIOException e) {
      return Optional.of("a small file system cannot be mounted: " + e.getMessage());
    }
  }

  /** Mounts an empty one. */
  public static SmallDisk mount(int megabytes) {
    Guard guard = Guard.open("disk");
    try {
      Path mount = guard.directory().resolve("disk");
      Files.createDirectory(mount);
      Shell.run(
          List.of("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", "" + mount));
      // Servers may have to run as another user than these tests.
      letOthersIn(guard.directory());
      letOthersIn(mount);
      return new SmallDisk(guard, mount);
    } catch (IOException e) {
      guard.close();
      throw new UncheckedIOException(e);
    } catch (RuntimeException | Error e) {
      guard.close();
      throw e;
    }
  }

  private static void letOthersIn(Path directory) throws IOException {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /**
   * Creates a directory that belongs to the owner of another file, as a server's data directory.
   */
  public Path directory(String name, Path ownedLike) {
    Path directory = mount.resolve(name);
    try {
      Files.createDirectory(directory);
      Files.setOwner(directory, Files.getOwner(ownedLike));
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException("Could not create " + directory, e);
    }
  }

  /** Where it is mounted. */
  public Path path() {
    return mount;
  }

  /** Fills it up to the last block. */
  public void fill() {
    try (OutputStream file = Files.newOutputStream(ballast)) {
      byte[] block = new byte[BLOCK];
      while (mount.toFile().getUsableSpace() > 0) {
        file.write(block);
      }
    } catch (IOException e) {
      if (mount.toFile().getUsableSpace() > 0) {
        throw new UncheckedIOException("Could not fill " + mount, e);
      }
    }
  }

  /** Takes away what {@link #fill} put there. */
  public void empty() {
    try {
      Files.deleteIfExists(ballast);
    } catch (IOException e) {
      throw new UncheckedIOException("Could not empty " + mount, e);
    }
  }

  /** Unmounts it. */
  @Override
  public void close() {
    guard.close();
  }
}
