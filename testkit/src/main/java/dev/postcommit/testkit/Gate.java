package dev.postcommit.testkit;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** Runs tasks by another executor, but keeps them while it is shut. */
final class Gate implements Executor {

  private final Executor executor;
  private final Queue<Runnable> kept = new ArrayDeque<>();
  private boolean shut;

  Gate(Executor executor) {
    this.executor = executor;
  }

  @Override
  public void execute(Runnable task) {
    synchronized (this) {
      if (shut) {
        kept.add(task);
        return;
      }
    }
    executor.execute(task);
  }

  synchronized void shut() {
    shut = true;
  }

  synchronized void open() {
    shut = false;
    while (!kept.isEmpty()) {
      executor.execute(kept.remove());
    }
  }
}
