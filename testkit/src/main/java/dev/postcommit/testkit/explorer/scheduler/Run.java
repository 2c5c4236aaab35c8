package dev.postcommit.testkit.explorer.scheduler;

import dev.postcommit.testkit.explorer.scenario.Script;
import dev.postcommit.testkit.explorer.scenario.Violation;
import dev.postcommit.testkit.explorer.scheduler.Actor.GoneException;
import dev.postcommit.testkit.explorer.scheduler.Actor.KilledError;
import dev.postcommit.testkit.explorer.scheduler.Actor.State;
import dev.postcommit.testkit.explorer.search.Footprint;
import dev.postcommit.testkit.explorer.search.Step;
import dev.postcommit.testkit.explorer.search.Strategy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of a scenario: lets one actor go at a time, as a strategy says.
 *
 * <p>A step has ended when its actor has announced the next one, has ended, or waits for a lock in
 * Postgres. A statement that waits goes on when another actor's step releases it, and is then part
 * of that step.
 */
public final class Run {
  private static final long QUICK_NANOS = 1_000_000;
  private static final Duration STUCK = Duration.ofSeconds(30);

  /** How long threads of an actor that has several do nothing before they are taken to wait. */
  private static final long STILL_NANOS = 200_000;

  /** How long an actor may take to end by itself; after that it waits for a lock of another. */
  private static final Duration UNTIL_CUT_OFF = Duration.ofMillis(20);

  private static final int MOST_STEPS = 2_000;

  private final Locks locks;
  private final boolean isVerbose;

  /** Those of actors that have several threads join at any time, under the lock. */
  private final List<Actor> actors = new CopyOnWriteArrayList<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Condition granted = lock.newCondition();
  private final List<Integer> schedule = new ArrayList<>();
  private final List<String> trace = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();
  private long changes;
  private boolean isOver;

  /** The actors that waited for a lock when the last step had ended. */
  private List<Actor> blocked = List.of();

  public Run(Locks locks, boolean isVerbose) {
    this.locks = locks;
    this.isVerbose = isVerbose;
  }

  public Actor add(String name, Script script, @Nullable ThreadGroup group) {
    Actor actor = new Actor(actors.size(), name, this, script, group);
    actors.add(actor);
    return actor;
  }

  /** The actor of a thread of an actor that has several, which joins when it is first seen. */
  Actor child(Actor of, Thread thread) {
    lock.lock();
    try {
      for (Actor actor : actors) {
        if (actor.thread == thread) {
          return actor;
        }
      }
      String name = of.name() + "/" + thread.getName();
      Actor child = new Actor(actors.size(), name, this, () -> {}, null);
      child.thread = thread;
      child.parent = of;
      child.isKilled = of.isKilled;
      actors.add(child);
      return child;
    } finally {
      lock.unlock();
    }
  }

  boolean isVerbose() {
    return isVerbose;
  }

  /** Who made which step, one by one. */
  public List<Integer> schedule() {
    return schedule;
  }

  public List<Step> steps() {
    return steps;
  }

  public List<Actor> actors() {
    return actors;
  }

  /** What happened, in words, if the run is verbose. */
  public List<String> trace() {
    return trace;
  }

  /**
   * Plays until all actors have ended.
   *
   * @return whether they did; otherwise the strategy stopped the run
   * @throws Violation if an actor failed, or none can go on
   */
  public boolean play(ActorThreads threads, Strategy strategy) throws SQLException {
    try {
      actors.forEach(actor -> actor.start(threads));
      return schedule(strategy);
    } finally {
      end();
    }
  }

  private boolean schedule(Strategy strategy) throws SQLException {
    int last = -1;
    awaitQuiet();
    while (true) {
      List<Step> ready = ready();
      if (ready.isEmpty()) {
        if (isDone()) {
          return true;
        }
        awaitRelease();
        continue;
      }
      if (steps.size() >= MOST_STEPS) {
        throw new Violation("the run did not end within " + MOST_STEPS + " steps");
      }
      int choice = strategy.choose(ready, last);
      if (choice == Strategy.STOP) {
        return false;
      }
      Step step = ready.get(choice);
      boolean someWait = someWait();
      steps.add(step);
      schedule.add(step.actor());
      if (isVerbose) {
        tell("%-12s %s".formatted(actors.get(step.actor()).name(), step.line()));
      }
      grant(actors.get(step.actor()));
      awaitQuiet();
      strategy.ran(step, someWait || someWait() ? Footprint.EVERYTHING : step.footprint());
      last = step.actor();
    }
  }

  private List<Step> ready() {
    lock.lock();
    try {
      List<Step> ready = new ArrayList<>();
      for (Actor actor : actors) {
        if (actor.failure != null) {
          throw new Violation(actor.name() + " failed: " + actor.failure, actor.failure);
        }
        if (actor.state == State.READY && actor.step != null) {
          ready.add(actor.step);
        }
      }
      return ready;
    } finally {
      lock.unlock();
    }
  }

  private boolean isDone() {
    return locked(() -> actors.stream().allMatch(Run::isDone));
  }

  /** Threads of an actor have ended with it, and an actor that was killed does nothing more. */
  private static boolean isDone(Actor actor) {
    return actor.isStrand()
        || actor.state == State.DONE
        || (actor.isKilled && actor.group() != null);
  }

  private boolean someWait() {
    return locked(() -> someRun());
  }

  private void grant(Actor actor) {
    lock.lock();
    try {
      actor.isGranted = true;
      actor.state = State.RUNNING;
      changes++;
      granted.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** All wait for each other: Postgres ends such a wait after its deadlock timeout. */
  private void awaitRelease() throws SQLException {
    long before = changes();
    Patience patience = new Patience(STUCK);
    while (changes() == before) {
      if (patience.isOver()) {
        throw new Violation("nobody can go on");
      }
      pause();
    }
    awaitQuiet();
  }

  private <T> T locked(Supplier<T> state) {
    lock.lock();
    try {
      return state.get();
    } finally {
      lock.unlock();
    }
  }

  private long changes() {
    return locked(() -> changes);
  }

  /** Waits for a change, but not for long. */
  private void pause() {
    lock.lock();
    try {
      long before = changes;
      long nanos = QUICK_NANOS;
      while (changes == before && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    } finally {
      lock.unlock();
    }
  }

  /** Waits until each actor has announced a step, has ended, or waits for a lock. */
  private void awaitQuiet() throws SQLException {
    Patience patience = new Patience(STUCK);
    while (true) {
      long before;
      List<Actor> running = new ArrayList<>();
      lock.lock();
      try {
        // A thread of several does not tell when it begins to wait.
        long nanos = hasThreads() ? STILL_NANOS : QUICK_NANOS;
        // Locks are granted before the statement returns that releases them, so there is nothing to
        // wait for if only those are left that were blocked before.
        while (someRun() && !allWereBlocked() && nanos > 0) {
          nanos = changed.awaitNanos(nanos);
        }
        before = changes;
        actors.stream().filter(this::runs).forEach(running::add);
      } catch (InterruptedException e) {
        throw interrupted(e);
      } finally {
        lock.unlock();
      }
      if (allWait(running) && isStill(running, before)) {
        blocked = running;
        return;
      }
      blocked = List.of();
      if (patience.isOver()) {
        throw new IllegalStateException(
            "an actor neither goes on nor waits for a lock: " + Threads.where(actors));
      }
    }
  }

  /** Whether all of these wait for a lock in Postgres, or for one in Java that another has. */
  private boolean allWait(List<Actor> running) throws SQLException {
    boolean isAsked = running.stream().anyMatch(actor -> actor.waitingOver != null);
    Set<Integer> pids = isAsked ? locks.waiting() : Set.of();
    return running.stream().allMatch(actor -> waits(actor, running, pids, new HashSet<>()));
  }

  /**
   * Whether an actor waits, and goes on waiting until a step is granted: its lock in Java is held
   * by an actor that stands at a gate or waits itself, not by one that is about to release it.
   */
  private boolean waits(
      Actor actor, List<Actor> running, Set<Integer> pids, Set<Actor> waitingForIt) {
    @Nullable Session session = actor.waitingOver;
    if (session != null) {
      return pids.contains(session.pid());
    }
    @Nullable Thread thread = actor.thread;
    if (thread == null || lock.hasQueuedThread(thread) || !waitingForIt.add(actor)) {
      return false;
    }
    @Nullable Actor owner = JavaLocks.owner(actor, thread, actors);
    return owner != null
        && owner.state != State.DONE
        && (!running.contains(owner) || waits(owner, running, pids, waitingForIt));
  }

  private boolean allWereBlocked() {
    return actors.stream().filter(this::runs).allMatch(blocked::contains);
  }

  private boolean someRun() {
    return actors.stream().anyMatch(this::runs);
  }

  private boolean hasThreads() {
    return actors.stream().anyMatch(Actor::isThreaded);
  }

  private boolean runs(Actor actor) {
    return actor.state == State.RUNNING
        && (!Threads.isIdle(actor) || lock.hasQueuedThread(actor.thread));
  }

  /**
   * Whether nothing changed since, and of actors that have several threads nothing does for a
   * moment.
   *
   * @param waiting those who wait for a lock
   */
  private boolean isStill(List<Actor> waiting, long before) {
    lock.lock();
    try {
      if (!hasThreads()) {
        return changes == before;
      }
      long nanos = STILL_NANOS;
      while (changes == before && nanos > 0) {
        nanos = changed.awaitNanos(nanos);
      }
      return changes == before
          && actors.stream().filter(this::runs).allMatch(waiting::contains)
          && !Threads.someWork(actors, waiting);
    } catch (InterruptedException e) {
      throw interrupted(e);
    } finally {
      lock.unlock();
    }
  }

  private static IllegalStateException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new IllegalStateException("interrupted", e);
  }

  void announce(Actor actor, Step step) {
    lock.lock();
    try {
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
    } finally {
      lock.unlock();
    }
  }

  /**
   * Ends an actor that was killed or whose run is over. One that has several threads does nothing
   * until then, and what it tests is closed after the run.
   */
  void requireAlive(Actor actor) {
    lock.lock();
    try {
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
    } finally {
      lock.unlock();
    }
  }

  void sends(Actor actor, @Nullable Session session) {
    lock.lock();
    try {
      actor.waitingOver = session;
      changes++;
    } finally {
      lock.unlock();
    }
  }

  void note(String text) {
    if (isVerbose) {
      tell("             -> " + text);
    }
  }

  private void tell(String line) {
    lock.lock();
    try {
      trace.add(line);
    } finally {
      lock.unlock();
    }
  }

  void ended(Actor actor, @Nullable Throwable failure) {
    lock.lock();
    try {
      actor.state = State.DONE;
      // What a killed actor says while it goes down concerns nobody.
      actor.failure = isOver || actor.isKilled ? null : failure;
      changes++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends an actor at the gate it is at, and its sessions, as the end of its process would. */
  public void kill(Actor victim) throws SQLException {
    lock.lock();
    try {
      for (Actor actor : actors) {
        if (actor == victim || actor.parent == victim) {
          actor.isKilled = true;
        }
      }
    } finally {
      lock.unlock();
    }
    // Its sessions end while it is where it is, so that it cannot give one back for the next run.
    cutOff(victim);
    lock.lock();
    try {
      for (Actor actor : actors) {
        if ((actor == victim || actor.parent == victim) && actor.state == State.READY) {
          actor.state = State.RUNNING;
        }
      }
      granted.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the sessions of an actor, which goes on. */
  public void cutOff(Actor victim) throws SQLException {
    for (Session session : victim.sessions()) {
      locks.end(session);
    }
  }

  /** Ends what is still going on, so that nothing of it is left for the next run. */
  private void end() throws SQLException {
    lock.lock();
    try {
      isOver = true;
      granted.signalAll();
    } finally {
      lock.unlock();
    }
    Patience patience = new Patience(STUCK);
    Patience untilCutOff = new Patience(UNTIL_CUT_OFF);
    while (!isDone() || actors.stream().anyMatch(Threads::isAlive)) {
      if (patience.isOver()) {
        throw new IllegalStateException("an actor does not end: " + Threads.where(actors));
      }
      if (untilCutOff.isOver()) {
        for (Actor actor : actors) {
          if (actor.state != State.DONE || Threads.isAlive(actor)) {
            cutOff(actor);
          }
        }
      }
      pause();
    }
    for (Actor actor : actors) {
      // One that was ended on its way may have kept a transaction.
      cutOff(actor);
    }
  }
}
