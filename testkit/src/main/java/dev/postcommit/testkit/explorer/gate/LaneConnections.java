package dev.postcommit.testkit.explorer.gate;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/**
 * The connections of a relay that several actors play: each uses those of its own. What the relay
 * does from threads of its own, besides, is not watched.
 */
public final class LaneConnections extends Connections {
  private final DataSource others;
  private final Map<Thread, DataSource> lanes = new ConcurrentHashMap<>();

  /**
   * Connections of actors to come.
   *
   * @param others those of all threads that are no actor's
   */
  public LaneConnections(DataSource others) {
    this.others = others;
  }

  /** From here on, the current thread is an actor that has these connections. */
  public void enter(DataSource connections) {
    lanes.put(Thread.currentThread(), connections);
  }

  @Override
  public Connection getConnection() throws SQLException {
    return lanes.getOrDefault(Thread.currentThread(), others).getConnection();
  }
}
