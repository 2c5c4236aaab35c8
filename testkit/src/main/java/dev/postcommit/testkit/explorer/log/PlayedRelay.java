package dev.postcommit.testkit.explorer.log;

import dev.postcommit.internal.store.CheckpointedLog;
import dev.postcommit.internal.store.Checkpoints;
import dev.postcommit.testkit.explorer.gate.LaneConnections;
import dev.postcommit.testkit.explorer.scenario.Stage;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import javax.sql.DataSource;

/** A relay on a log, which one or more actors play. */
final class PlayedRelay implements AutoCloseable {
  private final LogRun run;
  private final LaneConnections connections;
  private final Map<Thread, Stage.Role> lanes = new ConcurrentHashMap<>();
  private final ModelBroker.Producer producer;
  private final CheckpointedLog store;

  /**
   * A relay that nobody plays yet.
   *
   * @param opened opens its store, given where the broker keeps its checkpoints
   */
  PlayedRelay(
      LogRun run,
      LaneConnections connections,
      ModelBroker broker,
      ModelBroker.Fault fault,
      Function<Checkpoints, CheckpointedLog> opened) {
    this.run = run;
    this.connections = connections;
    this.producer = broker.new Producer(this::self, fault);
    this.store = opened.apply(producer);
  }

  private Stage.Role self() {
    return Objects.requireNonNull(lanes.get(Thread.currentThread()));
  }

  /** From here on, the current thread is somebody who has these connections. */
  void enter(Stage.Role role, DataSource used) {
    connections.enter(used);
    lanes.put(Thread.currentThread(), role);
  }

  /** One of its threads. */
  LogRelay lane(Stage.Role role) {
    return new LogRelay(run, role, store, producer);
  }

  @Override
  public void close() {
    store.close();
  }
}
