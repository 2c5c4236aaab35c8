package dev.postcommit.testkit.explorer.outbox;

import dev.postcommit.layout.Layout;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.explorer.oracle.History;
import dev.postcommit.testkit.explorer.scenario.Stage;
import java.sql.SQLException;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** A run of an {@link OutboxScenario}, for actors of all kinds. */
interface OutboxPlay {

  /** What one of its actors does. */
  @FunctionalInterface
  interface Part {

    /** Does it. */
    void play(OutboxPlay run, Stage.Role self) throws Exception;

    /** Does what comes before the run, without steps. */
    default void prepare(OutboxPlay run, Stage.Role self) throws SQLException {}
  }

  /** What happened so far. */
  History history();

  /** The tables. */
  OutboxTables tables();

  /** Their layout, and events for it. */
  LayoutSample sample();

  /** Their layout. */
  Layout layout();

  /** Another actor. */
  Stage.Role role(String who);

  /** What is changed in the statements of the code under test. */
  UnaryOperator<String> mutation();

  /** How often events of a namespace may be tried. */
  int attempts(String namespace);

  /** What the broker says to an event that arrives from a relay. */
  Outcome reply(String relay, StoredEvent event);

  /** The transactions of an actor that writes. */
  OutboxScenario.Writer writer(Stage.Role self);

  /** An id that no other event of the run has, the same whenever the run is repeated. */
  UUID nextId();

  /** Writes an event before the run. */
  void write(String event) throws SQLException;

  /** Has a relay deliver what it can, before or after the run; returns whether that was nothing. */
  boolean deliver(Survivor relay);

  /** A relay that ends well goes on at the end of the run, when no step is scheduled any more. */
  void survives(Survivor relay);

  /**
   * A relay that goes on.
   *
   * @param pause lets some time pass for it
   */
  record Survivor(OutboxStore store, ClaimRequest request, Runnable pause) {}
}
