package dev.postcommit.testkit.explorer.inbox;

import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.inbox.Transactions;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import dev.postcommit.testkit.explorer.scenario.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Consumers that are given the same messages, and faults around them, driven through {@link
 * EventConsumer}. Every consumer reads the whole topic, as it would if the topic were given from
 * one to the other at any time.
 *
 * <p>Leases are long; they end when a step of the scenario says so. When all have ended, one more
 * consumer is given everything, twice.
 */
public final class InboxScenario implements Scenario {
  public static final String CONSUMER = "inventory";

  /** How a consumer guards itself. */
  enum Guard {
    TRANSACTIONAL,
    MARKING,
    MARKING_FIRST
  }

  /**
   * What happens to others.
   *
   * @param usesStore whether it has a store of its own
   */
  record Fault(String name, boolean usesStore, FaultPart part) {}

  /** Does something to the actors of a run or to their marks. */
  @FunctionalInterface
  interface FaultPart {
    void play(InboxPlay run, Stage.Role self) throws Exception;
  }

  private final Builder parts;

  private InboxScenario(Builder parts) {
    this.parts = parts;
  }

  /** Consumers whose effects and marks are in one transaction. */
  public static Builder transactional(String name) {
    return new Builder(name, Guard.TRANSACTIONAL);
  }

  /** Consumers that handle events between an in-progress mark and a confirmed one, in Postgres. */
  public static Builder marking(String name) {
    return new Builder(name, Guard.MARKING);
  }

  /** Consumers that mark events before they handle them, in Postgres. */
  public static Builder markingFirst(String name) {
    return new Builder(name, Guard.MARKING_FIRST);
  }

  @Override
  public String name() {
    return parts.name;
  }

  @Override
  public void create(DataSource database) throws SQLException {
    parts.stores().create(database);
  }

  @Override
  public void reset(Connection connection) throws SQLException {
    parts.stores().reset(connection);
  }

  @Override
  public Play begin(Stage stage) throws SQLException {
    return new InboxPlay(parts, stage);
  }

  /** Collects who takes part. */
  public static final class Builder {
    final String name;
    final Guard guard;
    final List<String> sent = new ArrayList<>();
    final Map<String, List<String>> producers = new LinkedHashMap<>();
    final Map<String, Integer> consumers = new LinkedHashMap<>();
    final List<Fault> faults = new ArrayList<>();
    final Map<String, Integer> failures = new HashMap<>();
    int batch = 1;

    /** Whether an event may stay in progress until its time is over. */
    boolean mayStayInProgress;

    /** Whether an effect may be had twice, where marks are not in its transaction. */
    boolean mayRepeat;

    /** Whether an effect may be lost, where marks are set before it. */
    boolean mayLose;

    Function<DataSource, Transactions> transactions = Transactions::of;
    UnaryOperator<String> mutation = UnaryOperator.identity();
    private @Nullable InboxStores stores;

    private Builder(String name, Guard guard) {
      this.name = name;
      this.guard = guard;
    }

    /** Messages that are in the topic from the beginning. */
    public Builder sent(String... events) {
      sent.addAll(List.of(events));
      return this;
    }

    /** Adds one who sends messages. */
    public Builder producer(String who, String... events) {
      producers.put(who, List.of(events));
      return this;
    }

    /** Adds a consumer that polls so often. */
    public Builder consumer(String who, int polls) {
      consumers.put(who, polls);
      return this;
    }

    /** How many messages a poll returns at most. */
    public Builder batch(int messages) {
      batch = messages;
      return this;
    }

    /** A handler fails so often before it succeeds. */
    public Builder fails(String event, int times) {
      failures.put(event, times);
      return this;
    }

    /** A consumer is killed, at any time. */
    public Builder kill(String who) {
      mayStayInProgress = true;
      mayRepeat = true;
      mayLose = true;
      return fault(
          "kill-" + who,
          (run, self) -> {
            self.step("kill " + who);
            run.role(who).kill();
          });
    }

    /** The sessions of a consumer are cut off, at any time. */
    public Builder cutOff(String who) {
      // What cannot be abandoned is left to expire.
      mayStayInProgress = true;
      return fault(
          "cut-" + who,
          (run, self) -> {
            self.step("cut off " + who);
            run.role(who).cutOff();
          });
    }

    /** The in-progress time passes, at any time: whoever is handling an event does not know. */
    public Builder timePasses() {
      mayRepeat = true;
      return fault(
          "clock",
          (run, self) -> {
            run.stores().timePasses(self);
            run.history().timePasses();
          });
    }

    /** A consumer does not get the reply to one request, at any time. */
    public Builder losesReply(String who) {
      return fault(
          "wire-of-" + who,
          (run, self) -> {
            self.step("the next reply to " + who + " is lost");
            run.wire(who).next(Wire.Fate.REPLY_LOST);
          });
    }

    /** A consumer gives up one request, at any time, and that is executed later. */
    public Builder late(String who) {
      mayStayInProgress = true;
      return fault(
          "wire-of-" + who,
          (run, self) -> {
            self.step("the next request of " + who + " is late");
            run.wire(who).next(Wire.Fate.LATE);
            self.step("what is late arrives");
            run.wire(who).next(Wire.Fate.ANSWERED);
            run.wire(who).arrive();
          });
    }

    /** Allows for effects that are lost, where marks are set before. */
    public Builder mayLose() {
      mayLose = true;
      return this;
    }

    /** Marks are pruned, at any time. */
    public Builder prune(String who) {
      faults.add(new Fault(who, true, (run, self) -> run.store(self.name()).prune()));
      return this;
    }

    private Builder fault(String who, FaultPart part) {
      faults.add(new Fault(who, false, part));
      return this;
    }

    /** Changes statements before they are sent: to show what a fault would do. */
    public Builder mutation(UnaryOperator<String> change) {
      mutation = change;
      return this;
    }

    /** Changes the transactions of handlers. */
    public Builder transactions(Function<DataSource, Transactions> made) {
      transactions = made;
      return this;
    }

    /** Keeps marks elsewhere. */
    public Builder stores(InboxStores other) {
      stores = other;
      return this;
    }

    InboxStores stores() {
      if (stores == null) {
        stores = new JdbcInboxStores(mutation);
      }
      return stores;
    }

    /** The scenario. */
    public InboxScenario build() {
      return new InboxScenario(this);
    }
  }
}
