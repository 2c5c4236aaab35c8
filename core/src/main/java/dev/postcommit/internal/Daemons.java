package dev.postcommit.internal;

import java.util.concurrent.ThreadFactory;

/** Threads that keep no process alive. */
public final class Daemons {
  private Daemons() {}

  /** Makes threads of one name. */
  public static ThreadFactory named(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }
}
