package dev.postcommit.testkit.explorer.log;

import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import java.sql.Connection;
import java.sql.Statement;

/** What is done to a log and to those who work on it, at any time. */
final class LogFaults {
  private LogFaults() {}

  /** Statements are run, each in a transaction of its own. */
  static LogScenario.Part statements(String... statements) {
    return (run, self) -> {
      try (Connection connection = self.connections().getConnection();
          Statement statement = connection.createStatement()) {
        for (String sql : statements) {
          statement.execute(sql);
        }
      }
    };
  }

  /** A lock is taken, and held until the next step. */
  static LogScenario.Part holds(String lock) {
    return (run, self) -> {
      try (Connection connection = self.connections().getConnection();
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        statement.execute(lock);
        connection.commit();
      }
    };
  }

  /** All leases end: relays that go on do not know. */
  static LogScenario.Part leasesEnd() {
    return (run, self) -> {
      try (Connection connection = self.connections().getConnection();
          Statement statement = connection.createStatement()) {
        for (String sql : run.tables().expireLeases()) {
          // Others may claim as soon as the first of these is done.
          self.atNextStep(run.history()::leasesEnd);
          statement.execute(sql);
        }
      }
    };
  }

  /** An actor is killed. */
  static LogScenario.Part kill(String who) {
    return (run, self) -> {
      self.step("kill " + who);
      run.role(who).kill();
      run.history().gone(who);
    };
  }

  /** The sessions of an actor are cut off. */
  static LogScenario.Part cutOff(String who) {
    return (run, self) -> {
      self.step("cut off " + who);
      run.role(who).cutOff();
      run.history().gone(who);
    };
  }

  /** An operator replays what is dead. */
  static LogScenario.Part replay(String operator) {
    return (run, self) -> {
      run.history().replays();
      OutboxAdmin.of(self.connections(), run.layout())
          .replay(DeadFilter.all(), new Decision(operator, null));
    };
  }

  /** The broker is out of order for a while. */
  static LogScenario.Part outage(ModelBroker.State state) {
    return (run, self) -> {
      self.step("broker", "the broker is " + state);
      run.broker().is(state);
      self.step("broker", "the broker is up again");
      run.broker().is(ModelBroker.State.UP);
    };
  }
}
