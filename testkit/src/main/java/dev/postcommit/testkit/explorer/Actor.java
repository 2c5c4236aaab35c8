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

  /** The sessions that it uses, to be ended if it is killed or cut off. */
  private final Set<Session> sessions = ConcurrentHashMap.newKeySet();

  // Guarded by the run's lock.
  State state = State.RUNNING;
  @Nullable Step step;
  boolean isGranted;
  boolean isKilled;
  @Nullable Session waitingOver;
  @Nullable Throwable failure;
  volatile @Nullable Thread thread;

  /** Used by the actor's own thread only. */
  private @Nullable Runnable atNextStep;

  Actor(int number, String name, Run run, Script script) {
    this.number = number;
    this.name = name;
    this.run = run;
    this.script = script;
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
    cast.execute(this::play);
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

  /** Announces a step and waits until it may run. Other threads than the actor's own pass. */
  void announce(String text, Footprint footprint) {
    if (!footprint.isNone() && isOwnThread()) {
      run.announce(this, new Step(number, text, footprint));
      @Nullable Runnable action = atNextStep;
      atNextStep = null;
      if (action != null) {
        action.run();
      }
    }
  }

  private boolean isOwnThread() {
    return Thread.currentThread() == thread;
  }

  /** Has something done at the moment at which the next step begins. */
  void atNextStep(Runnable action) {
    atNextStep = action;
  }

  /** Notes over which session the running step is sent, so that it is known who waits. */
  void sends(@Nullable Session session) {
    if (isOwnThread()) {
      run.sends(this, session);
    }
  }

  boolean isVerbose() {
    return run.isVerbose();
  }

  void note(String text) {
    if (isOwnThread()) {
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
}
