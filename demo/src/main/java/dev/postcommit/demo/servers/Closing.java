package dev.postcommit.demo.servers;

import java.util.ArrayDeque;
import java.util.Deque;

/** Closes resources in reverse order, even on an interrupted thread. */
public final class Closing implements AutoCloseable {
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  public <T extends AutoCloseable> T add(T resource) {
    opened.push(resource);
    return resource;
  }

  /** Closes all resources; an earlier interrupt does not cut that short. */
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted();
    RuntimeException failure = null;
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Exception e) {
        failure = new IllegalStateException("could not clean up: " + e.getMessage(), e);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (failure != null) {
      throw failure;
    }
  }
}
