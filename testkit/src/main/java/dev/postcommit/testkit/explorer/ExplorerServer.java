package dev.postcommit.testkit.explorer;

import dev.postcommit.testkit.PostgresServer;
import org.jspecify.annotations.Nullable;

/** The server of explorers: nothing runs on it but their steps, and it does not wait for disks. */
final class ExplorerServer {
  private static @Nullable PostgresServer shared;

  private ExplorerServer() {}

  static synchronized PostgresServer shared() {
    if (shared == null) {
      PostgresServer started =
          PostgresServer.builder()
              .setting("autovacuum", "off")
              .setting("fsync", "off")
              .setting("synchronous_commit", "off")
              .setting("full_page_writes", "off")
              .setting("deadlock_timeout", "50ms")
              .setting("max_prepared_transactions", "20")
              .start();
      Runtime.getRuntime().addShutdownHook(new Thread(started::close));
      shared = started;
    }
    return shared;
  }
}
