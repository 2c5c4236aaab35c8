package dev.postcommit.testkit.explorer.scheduler;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A pool of threads for actors, reused from run to run. */
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
