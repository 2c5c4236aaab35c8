package dev.postcommit.testkit.explorer.scheduler;

import dev.postcommit.testkit.explorer.scenario.Script;
import dev.postcommit.testkit.explorer.search.Footprint;
import dev.postcommit.testkit.explorer.search.Step;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** An actor of a run: a thread that stops before each step until the scheduler lets it go. */
public final class Actor {

  /** The state of an actor's thread. */
  enum State {
    /** It runs, or waits for a lock in Postgres. */
    RUNNING,
    /** It has announced a step. */
    READY,
    /** Its script has ended. */
    DONE
  }

  private final int number;
  private final String name;
  private final Run run;
  private final Actors all;
  private final Script script;

  /** The group of its threads, if it has several; each of them is scheduled separately. */
  private final @Nullable ThreadGroup group;

  /** The sessions that it uses, which end if it is killed or cut off. */
  private final Set<Session> sessions = ConcurrentHashMap.newKeySet();

  // guarded by the lock of Actors
  State state = State.RUNNING;
  @Nullable Step step;
  boolean isGranted;
  boolean isKilled;
  @Nullable Session waitingOver;
  @Nullable Throwable failure;
  @Nullable Actor parent;
  volatile @Nullable Thread thread;

  /** Confined to the actor's own thread. */
  private @Nullable Runnable atNextStep;

  Actor(int number, String name, Run run, Actors all, Script script, @Nullable ThreadGroup group) {
    this.number = number;
    this.name = name;
    this.run = run;
    this.all = all;
    this.script = script;
    this.group = group;
  }

  int number() {
    return number;
  }

  public String name() {
    return name;
  }

  public Set<Session> sessions() {
    return sessions;
  }

  void start(ActorThreads threads) {
    if (group == null) {
      threads.execute(this::play);
    } else {
      Thread own = new Thread(group, this::play, name);
      own.setDaemon(true);
      own.start();
    }
  }

  private void play() {
    thread = Thread.currentThread();
    try {
      script.play();
      all.ended(this, null);
    } catch (KilledError e) {
      all.ended(this, null);
    } catch (Throwable e) {
      all.ended(this, e);
    }
  }

  /**
   * Announces a step and waits until it may run. Threads other than the actor's own do not wait,
   * unless they are scheduled separately.
   */
  public void announce(String text, Footprint footprint) {
    @Nullable Actor child = child();
    if (child != null && footprint.isNone()) {
      child.requireAlive();
    } else if (child != null) {
      all.announce(child, new Step(child.number, text, footprint));
      @Nullable Runnable action = child.atNextStep;
      child.atNextStep = null;
      if (action != null) {
        action.run();
      }
    }
  }

  /** The actor of the current thread: this one, one of its threads, or none. */
  private @Nullable Actor child() {
    Thread current = Thread.currentThread();
    if (current == thread) {
      return this;
    }
    return group != null && group == current.getThreadGroup()
        ? all.child(this, run, current)
        : null;
  }

  @Nullable ThreadGroup group() {
    return group;
  }

  /** Returns whether another actor is this one or one of its threads. */
  boolean includes(Actor other) {
    return other == this || other.parent == this;
  }

  /** Returns whether it is one of the threads of another actor. */
  boolean isStrand() {
    return parent != null;
  }

  /** Returns whether it is an actor that has several threads, or one of them. */
  boolean isThreaded() {
    return group != null || isStrand();
  }

  /**
   * Ends the current thread if it is one of several of an actor that was killed or whose run is
   * over.
   */
  public void requireAlive() {
    @Nullable Actor child = child();
    if (child != null && child.isThreaded()) {
      all.requireAlive(child);
    }
  }

  /** Runs an action at the moment when the next step begins. */
  public void atNextStep(Runnable action) {
    atNextStep = action;
  }

  /** Records the session of the running step, to detect whether it waits for a lock. */
  public void sends(@Nullable Session session) {
    @Nullable Actor child = child();
    if (child != null) {
      all.sends(child, session);
    }
  }

  public boolean isVerbose() {
    return run.isVerbose();
  }

  public void note(String text) {
    if (child() != null) {
      run.note(text);
    }
  }

  /** Thrown in the thread of an actor that was killed; the code under test must not catch it. */
  public static final class KilledError extends Error {
    private static final long serialVersionUID = 1L;

    KilledError() {
      super("killed by the schedule", null, false, false);
    }
  }

  /**
   * Thrown in threads of the code under test once the run is over. They survive it until they are
   * closed.
   */
  public static final class GoneException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    GoneException() {
      super("killed by the schedule");
    }
  }
}
