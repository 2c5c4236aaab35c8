package dev.postcommit.testkit.explorer.scheduler;

import dev.postcommit.testkit.explorer.scenario.Script;
import dev.postcommit.testkit.explorer.search.Footprint;
import dev.postcommit.testkit.explorer.search.Step;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** One participant of a run: a thread that does nothing others can notice unless it is told to. */
public final class Actor {

  /** What the thread of an actor is doing. */
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
  private final Script script;

  /** The group of its threads, if it has several; each of them is scheduled by itself. */
  private final @Nullable ThreadGroup group;

  /** The sessions that it uses, to be ended if it is killed or cut off. */
  private final Set<Session> sessions = ConcurrentHashMap.newKeySet();

  // Guarded by the run's lock.
  State state = State.RUNNING;
  @Nullable Step step;
  boolean isGranted;
  boolean isKilled;
  @Nullable Session waitingOver;
  @Nullable Throwable failure;
  @Nullable Actor parent;
  volatile @Nullable Thread thread;

  /** Used by the actor's own thread only. */
  private @Nullable Runnable atNextStep;

  Actor(int number, String name, Run run, Script script, @Nullable ThreadGroup group) {
    this.number = number;
    this.name = name;
    this.run = run;
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
      run.ended(this, null);
    } catch (KilledError e) {
      run.ended(this, null);
    } catch (Throwable e) {
      run.ended(this, e);
    }
  }

  /**
   * Announces a step and waits until it may run. Other threads than the actor's own pass, unless
   * they are scheduled by themselves.
   */
  public void announce(String text, Footprint footprint) {
    @Nullable Actor child = child();
    if (child != null && footprint.isNone()) {
      child.requireAlive();
    } else if (child != null) {
      run.announce(child, new Step(child.number, text, footprint));
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
    return group != null && group == current.getThreadGroup() ? run.child(this, current) : null;
  }

  @Nullable ThreadGroup group() {
    return group;
  }

  /** Whether it is one of the threads of another actor. */
  boolean isStrand() {
    return parent != null;
  }

  /** Whether it is an actor that has several threads, or one of these. */
  boolean isThreaded() {
    return group != null || isStrand();
  }

  /**
   * Goes no further if the current thread is one of several of an actor that was killed, or whose
   * run is over.
   */
  public void requireAlive() {
    @Nullable Actor child = child();
    if (child != null && child.isThreaded()) {
      run.requireAlive(child);
    }
  }

  /** Has something done at the moment at which the next step begins. */
  public void atNextStep(Runnable action) {
    atNextStep = action;
  }

  /** Notes over which session the running step is sent, so that it is known who waits. */
  public void sends(@Nullable Session session) {
    @Nullable Actor child = child();
    if (child != null) {
      run.sends(child, session);
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

  /** Thrown into the script of an actor that was killed, and not to be caught by what it tests. */
  public static final class KilledError extends Error {
    private static final long serialVersionUID = 1L;

    KilledError() {
      super("killed by the schedule", null, false, false);
    }
  }

  /**
   * The same for threads of what it tests, once the run is over: they survive it until they are
   * told to end.
   */
  public static final class GoneException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    GoneException() {
      super("killed by the schedule");
    }
  }
}
