package dev.postcommit.testkit.explorer.scheduler;

import dev.postcommit.testkit.explorer.scenario.Script;
import dev.postcommit.testkit.explorer.scenario.Violation;
import dev.postcommit.testkit.explorer.scheduler.Actor.State;
import dev.postcommit.testkit.explorer.search.Footprint;
import dev.postcommit.testkit.explorer.search.Step;
import dev.postcommit.testkit.explorer.search.Strategy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of a scenario: lets one actor go at a time, as a strategy says.
 *
 * <p>A step has ended when its actor has announced the next one, has ended, or waits for a lock in
 * Postgres. A statement that waits goes on when another actor's step releases it, and is then part
 * of that step.
 */
public final class Run {
  private static final Duration STUCK = Duration.ofSeconds(30);

  /** How long an actor may take to end by itself; after that it waits for a lock of another. */
  private static final Duration UNTIL_CUT_OFF = Duration.ofMillis(20);

  private static final int MOST_STEPS = 2_000;

  private final Locks locks;
  private final boolean isVerbose;
  private final Actors actors = new Actors();
  private final Quiescence quiescence;
  private final List<Integer> schedule = new ArrayList<>();
  private final List<String> trace = Collections.synchronizedList(new ArrayList<>());
  private final List<Step> steps = new ArrayList<>();

  public Run(Locks locks, boolean isVerbose) {
    this.locks = locks;
    this.isVerbose = isVerbose;
    this.quiescence = new Quiescence(actors, locks, STUCK);
  }

  public Actor add(String name, Script script, @Nullable ThreadGroup group) {
    return actors.add(name, this, script, group);
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
    return actors.all();
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
      actors().forEach(actor -> actor.start(threads));
      return schedule(strategy);
    } finally {
      end();
    }
  }

  private boolean schedule(Strategy strategy) throws SQLException {
    int last = -1;
    quiescence.await();
    while (true) {
      List<Step> ready = actors.ready();
      if (ready.isEmpty()) {
        if (actors.areDone()) {
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
      boolean someWait = actors.someRun();
      steps.add(step);
      schedule.add(step.actor());
      Actor actor = actors().get(step.actor());
      if (isVerbose) {
        trace.add("%-12s %s".formatted(actor.name(), step.line()));
      }
      actors.grant(actor);
      quiescence.await();
      strategy.ran(step, someWait || actors.someRun() ? Footprint.EVERYTHING : step.footprint());
      last = step.actor();
    }
  }

  /** All wait for each other: Postgres ends such a wait after its deadlock timeout. */
  private void awaitRelease() throws SQLException {
    long before = actors.changes();
    Patience patience = new Patience(STUCK);
    while (actors.changes() == before) {
      if (patience.isOver()) {
        throw new Violation("nobody can go on");
      }
      actors.pause();
    }
    quiescence.await();
  }

  void note(String text) {
    if (isVerbose) {
      trace.add("             -> " + text);
    }
  }

  /** Ends an actor at the gate it is at, and its sessions, as the end of its process would. */
  public void kill(Actor victim) throws SQLException {
    actors.condemn(victim);
    // Its sessions end while it is where it is, so that it cannot give one back for the next run.
    cutOff(victim);
    actors.release(victim);
  }

  /** Ends the sessions of an actor, which goes on. */
  public void cutOff(Actor victim) throws SQLException {
    for (Session session : victim.sessions()) {
      locks.end(session);
    }
  }

  /** Ends what is still going on, so that nothing of it is left for the next run. */
  private void end() throws SQLException {
    actors.over();
    Patience patience = new Patience(STUCK);
    Patience untilCutOff = new Patience(UNTIL_CUT_OFF);
    while (!actors.areDone() || actors().stream().anyMatch(Threads::isAlive)) {
      if (patience.isOver()) {
        throw new IllegalStateException("an actor does not end: " + Threads.where(actors()));
      }
      if (untilCutOff.isOver()) {
        for (Actor actor : actors()) {
          if (actor.state != State.DONE || Threads.isAlive(actor)) {
            cutOff(actor);
          }
        }
      }
      actors.pause();
    }
    for (Actor actor : actors()) {
      // One that was ended on its way may have kept a transaction.
      cutOff(actor);
    }
  }
}
