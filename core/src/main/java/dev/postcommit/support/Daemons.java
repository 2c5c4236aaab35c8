package dev.postcommit.support;

import java.util.concurrent.ThreadFactory;
import java.util.function.UnaryOperator;

/** Threads that keep no process alive, and log as the one that wanted them. */
public final class Daemons {
  private Daemons() {}

  /** Makes threads of one name. */
  public static ThreadFactory named(String name) {
    UnaryOperator<Runnable> logged = LogContext.present();
    return work -> {
      Thread thread = new Thread(logged.apply(work), name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
