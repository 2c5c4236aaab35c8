package dev.postcommit.testkit.explorer.scheduler;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds actors that wait for a Java lock of another one: threads of one relay share its locks. */
final class JavaLocks {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private JavaLocks() {}

  /** Returns the actor that holds the monitor or lock that a thread waits for, or null. */
  static @Nullable Actor owner(Actor actor, Thread thread, List<Actor> others) {
    @Nullable ThreadInfo info = THREADS.getThreadInfo(thread.getId());
    // A lock that was released and not yet acquired has no owner.
    long owner = info == null ? -1 : info.getLockOwnerId();
    return others.stream()
        .filter(other -> other != actor && isPlayedBy(other, owner))
        .findFirst()
        .orElse(null);
  }

  private static boolean isPlayedBy(Actor actor, long threadId) {
    @Nullable Thread thread = actor.thread;
    return thread != null && thread.getId() == threadId;
  }
}
