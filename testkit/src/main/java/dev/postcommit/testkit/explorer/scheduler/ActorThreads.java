package dev.postcommit.testkit.explorer.scheduler;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The threads that play actors, one run after the other. */
public final class ActorThreads implements AutoCloseable {
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "explorer-actor");
            thread.setDaemon(true);
            return thread;
          });

  void execute(Runnable part) {
    threads.execute(part);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
