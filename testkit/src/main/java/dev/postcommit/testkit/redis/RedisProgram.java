package dev.postcommit.testkit.redis;

import dev.postcommit.testkit.process.Shell;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.embedded.core.ExecutableProvider;
import redis.embedded.model.OsArchitecture;

/** The Redis program for this system. */
final class RedisProgram {
  private RedisProgram() {}

  /** Unpacks the first program that runs here into a directory. */
  static Path unpack(Path directory) {
    OsArchitecture system = OsArchitecture.detectOSandArchitecture();
    Path program = directory.resolve("redis-server");
    for (OsArchitecture candidate : candidates(system)) {
      @Nullable String name = ExecutableProvider.newProvidedVersionsMap().get(candidate);
      if (name != null && isUnpacked(name, program) && runs(program)) {
        return program;
      }
    }
    throw new IllegalStateException(
        "There is no Redis on the class path that runs on %s %s; the one for Linux needs OpenSSL 3"
            .formatted(system.os, system.arch));
  }

  /** On Linux the program for older processors is linked statically and needs no libraries. */
  private static List<OsArchitecture> candidates(OsArchitecture system) {
    return system.equals(OsArchitecture.UNIX_x86_64)
        ? List.of(system, OsArchitecture.UNIX_x86)
        : List.of(system);
  }

  private static boolean isUnpacked(String name, Path program) {
    try (@Nullable InputStream resource = RedisProgram.class.getResourceAsStream(name)) {
      if (resource == null) {
        return false;
      }
      Files.copy(resource, program, StandardCopyOption.REPLACE_EXISTING);
      Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException("Could not unpack Redis to " + program, e);
    }
  }

  private static boolean runs(Path program) {
    return Shell.succeeds("\"$1\" --version", program.toString());
  }
}
