package dev.postcommit.testkit.explorer.relay;

import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.relay.Relay;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.explorer.outbox.OutboxTables;
import dev.postcommit.testkit.explorer.scenario.Scenario;
import dev.postcommit.testkit.explorer.scenario.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * Two writers and two whole {@link Relay relays} with all their threads, of which one is killed and
 * the other loses its sessions. Each of their statements is a step, and so is each message that
 * arrives at the broker and each reply, of which one is lost.
 */
public final class RelayScenario implements Scenario {
  private final String name;
  private final LayoutSample sample;
  private final OutboxTables tables;
  private final boolean leasesEnd;
  private final UnaryOperator<String> mutation;

  private RelayScenario(
      String name, LayoutSample sample, boolean leasesEnd, UnaryOperator<String> mutation) {
    this.name = name;
    this.sample = sample;
    this.tables = new OutboxTables(sample.layout());
    this.leasesEnd = leasesEnd;
    this.mutation = mutation;
  }

  /** On the native table. Leases end at any time, and whenever nothing else happens. */
  public static RelayScenario onNative() {
    return of("native", Samples.NATIVE);
  }

  /** The same on modkit. */
  public static RelayScenario onModkit() {
    return of("modkit", Samples.MODKIT);
  }

  /** The same on a log. */
  public static RelayScenario onLog() {
    return of("log", Samples.LOG);
  }

  private static RelayScenario of(String layout, LayoutSample sample) {
    return new RelayScenario(layout + "-threads", sample, true, UnaryOperator.identity());
  }

  /** All of them. */
  public static List<RelayScenario> all() {
    return List.of(onNative(), onModkit(), onLog());
  }

  /**
   * The same with leases that do not end, so that what a killed relay holds is taken over: a run in
   * which it holds something lasts more than a second.
   */
  public RelayScenario withTakeovers() {
    return new RelayScenario(name + "-gone", sample, false, mutation);
  }

  /** Changes statements of the relays before they are sent: to show what a fault would do. */
  public RelayScenario mutation(UnaryOperator<String> change) {
    return new RelayScenario(name, sample, leasesEnd, change);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String toString() {
    return name;
  }

  @Override
  public String schema() {
    return "relays on " + sample.layout();
  }

  @Override
  public void create(DataSource database) {
    OutboxMigration.migrate(database, sample.layout());
  }

  @Override
  public void reset(Connection connection) throws SQLException {
    tables.empty(connection);
  }

  @Override
  public boolean isRepeatable() {
    return false;
  }

  LayoutSample sample() {
    return sample;
  }

  OutboxTables tables() {
    return tables;
  }

  boolean leasesEnd() {
    return leasesEnd;
  }

  UnaryOperator<String> mutation() {
    return mutation;
  }

  @Override
  public Play begin(Stage stage) {
    RelayRun run = new RelayRun(this, stage);
    stage.actor("writer-1", self -> run.write(self, "a1", "a2", "b1"));
    stage.actor("writer-2", self -> run.write(self, "b2", "a3"));
    Stage.Role first = stage.actorWithThreads("relay-1", self -> run.relay(self, true));
    Stage.Role second = stage.actorWithThreads("relay-2", self -> run.relay(self, false));
    stage.actor(
        "kill-relay-1",
        self -> {
          self.step("kill relay-1");
          first.kill();
        });
    stage.actor(
        "cut-relay-2",
        self -> {
          self.step("cut off relay-2");
          second.cutOff();
        });
    if (leasesEnd) {
      stage.actor("clock", run::endLeases);
    }
    return run;
  }
}
