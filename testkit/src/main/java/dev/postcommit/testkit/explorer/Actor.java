package dev.postcommit.testkit.explorer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** One participant of a run: a thread that does nothing others can notice unless it is told to. */
final class Actor {

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

  String name() {
    return name;
  }

  Set<Session> sessions() {
    return sessions;
  }

  void start(Cast cast) {
    if (group == null) {
      cast.execute(this::play);
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
  void announce(String text, Footprint footprint) {
    @Nullable Actor strand = strand();
    if (strand != null && footprint.isNone()) {
      strand.requireAlive();
    } else if (strand != null) {
      run.announce(strand, new Step(strand.number, text, footprint));
      @Nullable Runnable action = strand.atNextStep;
      strand.atNextStep = null;
      if (action != null) {
        action.run();
      }
    }
  }

  /** The actor of the current thread: this one, one of its threads, or none. */
  private @Nullable Actor strand() {
    Thread current = Thread.currentThread();
    if (current == thread) {
      return this;
    }
    return group != null && group == current.getThreadGroup() ? run.strand(this, current) : null;
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
  void requireAlive() {
    @Nullable Actor strand = strand();
    if (strand != null && strand.isThreaded()) {
      run.requireAlive(strand);
    }
  }

  /** Has something done at the moment at which the next step begins. */
  void atNextStep(Runnable action) {
    atNextStep = action;
  }

  /** Notes over which session the running step is sent, so that it is known who waits. */
  void sends(@Nullable Session session) {
    @Nullable Actor strand = strand();
    if (strand != null) {
      run.sends(strand, session);
    }
  }

  boolean isVerbose() {
    return run.isVerbose();
  }

  void note(String text) {
    if (strand() != null) {
      run.note(text);
    }
  }

  /** Thrown into the script of an actor that was killed, and not to be caught by what it tests. */
  static final class KilledError extends Error {
    private static final long serialVersionUID = 1L;

    KilledError() {
      super("killed by the schedule", null, false, false);
    }
  }

  /**
   * The same for threads of what it tests, once the run is over: they survive it until they are
   * told to end.
   */
  static final class GoneException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    GoneException() {
      super("killed by the schedule");
    }
  }
}
