package dev.postcommit.testkit.explorer.outbox;

import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;

/** What is done to a table and to those who work on it, at any time. */
final class Faults {
  private Faults() {}

  /** All leases end: relays that go on do not know. */
  static OutboxPlay.Part leasesEnd() {
    return (run, self) -> {
      List<String> statements = run.tables().expireLeases();
      if (statements.isEmpty()) {
        self.step("leases end");
      } else {
        try (Connection connection = self.connections().getConnection();
            Statement statement = connection.createStatement()) {
          // From its begin to its end, as it may wait for a relay that settles.
          self.atNextStep(run.history()::leasesEnd);
          statement.execute(String.join("; ", statements));
        }
      }
      run.history().leasesEnd();
    };
  }

  /** An actor is killed. */
  static OutboxPlay.Part kill(String who) {
    return (run, self) -> {
      self.step("kill " + who);
      run.role(who).kill();
      isGone(run, who);
    };
  }

  /** The sessions of an actor are cut off. */
  static OutboxPlay.Part cutOff(String who) {
    return (run, self) -> {
      self.step("cut off " + who);
      run.role(who).cutOff();
      isGone(run, who);
    };
  }

  private static void isGone(OutboxPlay run, String who) {
    run.history().gone(who);
    if (run.tables().isHeld()) {
      run.history().takenOver();
    }
  }

  /** An operator replays what is dead. */
  static OutboxPlay.Part replay(String operator) {
    return (run, self) -> {
      run.history().replays();
      OutboxAdmin admin = OutboxAdmin.of(self.connections(), run.layout());
      run.history().decided(admin.replay(DeadFilter.all(), new Decision(operator, null)));
    };
  }

  /** An operator discards what is dead. */
  static OutboxPlay.Part discard(String operator) {
    return (run, self) -> {
      OutboxAdmin admin = OutboxAdmin.of(self.connections(), run.layout());
      run.history().decided(admin.discard(DeadFilter.all(), new Decision(operator, "not needed")));
    };
  }

  /** An operator pauses the relays that ask for it, and lets them go on. */
  static OutboxPlay.Part pause(String operator) {
    return (run, self) -> {
      OutboxAdmin admin = OutboxAdmin.of(self.connections(), run.layout());
      admin.pause(new Decision(operator, "maintenance"));
      admin.resume(new Decision(operator, null));
    };
  }
}
