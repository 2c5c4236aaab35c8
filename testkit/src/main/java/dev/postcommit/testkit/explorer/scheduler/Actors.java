package dev.postcommit.testkit.explorer.scheduler;

import dev.postcommit.testkit.explorer.scenario.Script;
import dev.postcommit.testkit.explorer.scenario.Violation;
import dev.postcommit.testkit.explorer.scheduler.Actor.GoneException;
import dev.postcommit.testkit.explorer.scheduler.Actor.KilledError;
import dev.postcommit.testkit.explorer.scheduler.Actor.State;
import dev.postcommit.testkit.explorer.search.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The actors of a run and their states, under one lock. Here the threads of actors announce steps
 * and wait until they may go on, and the run's own thread waits for them.
 */
final class Actors {
  private static final long QUICK_NANOS = 1_000_000;

  /** How long threads of an actor that has several do nothing before they are taken to wait. */
  private static final long STILL_NANOS = 200_000;

  /** Those of actors that have several threads join at any time, under the lock. */
  private final List<Actor> all = new CopyOnWriteArrayList<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Condition granted = lock.newCondition();
  private long changes;
  private boolean isOver;

  /**
   * The actors that run.
   *
   * @param running those that neither stand at a gate nor have ended
   * @param changes how often any state had changed
   */
  record Moment(List<Actor> running, long changes) {}

  List<Actor> all() {
    return all;
  }

  Actor add(String name, Run run, Script script, @Nullable ThreadGroup group) {
    Actor actor = new Actor(all.size(), name, run, this, script, group);
    all.add(actor);
    return actor;
  }

  /** The actor of a thread of an actor that has several, which joins when it is first seen. */
  Actor child(Actor of, Run run, Thread thread) {
    return locked(
        () -> {
          for (Actor actor : all) {
            if (actor.thread == thread) {
              return actor;
            }
          }
          Actor child = add(of.name() + "/" + thread.getName(), run, () -> {}, null);
          child.thread = thread;
          child.parent = of;
          child.isKilled = of.isKilled;
          return child;
        });
  }

  private <T> T locked(Supplier<T> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  private void locked(Runnable work) {
    lock.lock();
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }

  /**
   * The steps that can be made now.
   *
   * @throws Violation if an actor failed
   */
  List<Step> ready() {
    return locked(
        () -> {
          List<Step> ready = new ArrayList<>();
          for (Actor actor : all) {
            if (actor.failure != null) {
              throw new Violation(actor.name() + " failed: " + actor.failure, actor.failure);
            }
            if (actor.state == State.READY && actor.step != null) {
              ready.add(actor.step);
            }
          }
          return ready;
        });
  }

  boolean areDone() {
    return locked(() -> all.stream().allMatch(Actors::isDone));
  }

  /** Threads of an actor have ended with it, and an actor that was killed does nothing more. */
  private static boolean isDone(Actor actor) {
    return actor.isStrand()
        || actor.state == State.DONE
        || (actor.isKilled && actor.group() != null);
  }

  /** Whether some run, and so wait for a lock if all is quiet. */
  boolean someRun() {
    return locked(() -> running().findAny().isPresent());
  }

  /** Those that run; only under the lock. */
  private Stream<Actor> running() {
    return all.stream()
        .filter(
            actor ->
                actor.state == State.RUNNING && (!Threads.isIdle(actor) || isQueued(actor.thread)));
  }

  /** Whether a thread is about to announce something. */
  boolean isQueued(@Nullable Thread thread) {
    return thread != null && lock.hasQueuedThread(thread);
  }

  private boolean haveThreads() {
    return all.stream().anyMatch(Actor::isThreaded);
  }

  long changes() {
    return locked(() -> changes);
  }

  /** Lets an actor make its step. */
  void grant(Actor actor) {
    locked(
        () -> {
          actor.isGranted = true;
          actor.state = State.RUNNING;
          changes++;
          granted.signalAll();
        });
  }

  /** Waits for a change, but not for long. */
  void pause() {
    locked(
        () -> {
          long before = changes;
          awaitWhile(() -> changes == before, QUICK_NANOS);
        });
  }

  /** Waits for changes, but not for long, while a condition holds; only under the lock. */
  private void awaitWhile(BooleanSupplier condition, long time) {
    try {
      long nanos = time;
      while (condition.getAsBoolean() && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * Waits for a short time for the actors that run. Locks are granted before the statement returns
   * that releases them, so there is nothing to wait for if only those are left that were blocked
   * before.
   */
  Moment awaitRunning(List<Actor> blocked) {
    return locked(
        () -> {
          // A thread of several does not tell when it begins to wait.
          long time = haveThreads() ? STILL_NANOS : QUICK_NANOS;
          awaitWhile(() -> !running().allMatch(blocked::contains), time);
          return new Moment(running().toList(), changes);
        });
  }

  /**
   * Whether nothing has changed since, and of actors that have several threads nothing does for a
   * moment.
   */
  boolean isStill(Moment since) {
    return locked(
        () -> {
          if (!haveThreads()) {
            return changes == since.changes;
          }
          awaitWhile(() -> changes == since.changes, STILL_NANOS);
          return changes == since.changes
              && running().allMatch(since.running::contains)
              && !Threads.someWork(all, since.running);
        });
  }

  /** An actor announces a step, and waits until it may make it. */
  void announce(Actor actor, Step step) {
    locked(
        () -> {
          requireAlive(actor);
          actor.step = step;
          actor.state = State.READY;
          changes++;
          changed.signalAll();
          while (!actor.isGranted && !actor.isKilled && !isOver) {
            granted.awaitUninterruptibly();
          }
          actor.isGranted = false;
          actor.step = null;
          requireAlive(actor);
        });
  }

  /**
   * Ends an actor that was killed or whose run is over. One that has several threads does nothing
   * until then, and what it tests is closed after the run.
   */
  void requireAlive(Actor actor) {
    locked(
        () -> {
          while (actor.isThreaded() && actor.isKilled && !isOver) {
            actor.state = State.DONE;
            changes++;
            changed.signalAll();
            granted.awaitUninterruptibly();
          }
          if (isOver || actor.isKilled) {
            if (actor.isStrand()) {
              throw new GoneException();
            }
            throw new KilledError();
          }
        });
  }

  void sends(Actor actor, @Nullable Session session) {
    locked(
        () -> {
          actor.waitingOver = session;
          changes++;
        });
  }

  void ended(Actor actor, @Nullable Throwable failure) {
    locked(
        () -> {
          actor.state = State.DONE;
          // What a killed actor says while it goes down concerns nobody.
          actor.failure = isOver || actor.isKilled ? null : failure;
          changes++;
          changed.signalAll();
        });
  }

  /** From now on an actor and its threads make no further step; they stay at their gates. */
  void condemn(Actor victim) {
    locked(() -> all.stream().filter(victim::includes).forEach(actor -> actor.isKilled = true));
  }

  /** Lets an actor that was condemned, and its threads, go from their gates and end. */
  void release(Actor victim) {
    locked(
        () -> {
          all.stream()
              .filter(actor -> victim.includes(actor) && actor.state == State.READY)
              .forEach(actor -> actor.state = State.RUNNING);
          granted.signalAll();
        });
  }

  /** The run is over, and every actor ends at its next step. */
  void over() {
    locked(
        () -> {
          isOver = true;
          granted.signalAll();
        });
  }
}
