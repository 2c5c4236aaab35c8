package dev.postcommit.testkit.explorer.scheduler;

import dev.postcommit.testkit.explorer.scheduler.Actor.State;
import dev.postcommit.testkit.explorer.scheduler.Actors.Moment;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Waits until each actor has announced a step, has ended, or waits for a lock. */
final class Quiescence {
  private final Actors actors;
  private final Locks locks;
  private final Duration limit;

  /** The actors that waited for a lock when the last step had ended. */
  private List<Actor> blocked = List.of();

  Quiescence(Actors actors, Locks locks, Duration limit) {
    this.actors = actors;
    this.locks = locks;
    this.limit = limit;
  }

  void await() throws SQLException {
    Patience patience = new Patience(limit);
    while (true) {
      Moment moment = actors.awaitRunning(blocked);
      if (allWait(moment.running()) && actors.isStill(moment)) {
        blocked = moment.running();
        return;
      }
      blocked = List.of();
      if (patience.isOver()) {
        throw new IllegalStateException(
            "an actor neither goes on nor waits for a lock: " + Threads.where(actors.all()));
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
    if (thread == null || actors.isQueued(thread) || !waitingForIt.add(actor)) {
      return false;
    }
    @Nullable Actor owner = JavaLocks.owner(actor, thread, actors.all());
    return owner != null
        && owner.state != State.DONE
        && (!running.contains(owner) || waits(owner, running, pids, waitingForIt));
  }
}
