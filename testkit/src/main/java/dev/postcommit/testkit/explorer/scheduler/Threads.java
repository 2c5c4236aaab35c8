package dev.postcommit.testkit.explorer.scheduler;

import dev.postcommit.testkit.explorer.scheduler.Actor.State;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds out what the threads of actors do, including actors that have several. */
final class Threads {
  private static final int SPARE = 10;

  private Threads() {}

  /** Returns whether a thread waits for other threads or for time to pass. */
  static boolean isIdle(Actor actor) {
    @Nullable Thread own = actor.thread;
    return actor.isThreaded()
        && actor.waitingOver == null
        && own != null
        && switch (own.getState()) {
          case WAITING, TIMED_WAITING, BLOCKED, TERMINATED -> true;
          case NEW, RUNNABLE -> false;
        };
  }

  /** Returns whether threads of actors that have several are at work, except some actors. */
  static boolean someWork(Collection<Actor> actors, Collection<Actor> others) {
    List<@Nullable Thread> known = others.stream().<@Nullable Thread>map(a -> a.thread).toList();
    for (Actor actor : actors) {
      for (Thread thread : of(actor)) {
        if (thread.getState() == Thread.State.RUNNABLE && !known.contains(thread)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns whether an actor has several threads and some have not ended. */
  static boolean isAlive(Actor actor) {
    return !of(actor).isEmpty();
  }

  private static List<Thread> of(Actor actor) {
    @Nullable ThreadGroup group = actor.group();
    if (group == null) {
      return List.of();
    }
    Thread[] threads = new Thread[group.activeCount() + SPARE];
    int count = group.enumerate(threads);
    return List.of(Arrays.copyOf(threads, count));
  }

  /** Describes what each running thread is doing. */
  static String where(Collection<Actor> actors) {
    StringBuilder text = new StringBuilder();
    for (Actor actor : actors) {
      @Nullable Thread own = actor.thread;
      if (actor.group() != null) {
        of(actor).forEach(thread -> describe(text, actor.name() + "/" + thread.getName(), thread));
      } else if (actor.state != State.DONE && !actor.isStrand()) {
        describe(text, actor.name() + " " + actor.state, own);
      }
    }
    return text.toString();
  }

  private static void describe(StringBuilder text, String name, @Nullable Thread thread) {
    text.append('\n').append(name).append(thread == null ? " has not begun" : "");
    if (thread != null) {
      for (StackTraceElement frame : thread.getStackTrace()) {
        text.append("\n  ").append(frame);
      }
    }
  }
}
