package dev.postcommit.testkit.explorer.outbox;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.store.RelaySession;
import dev.postcommit.internal.store.RelaySession.Backend;
import dev.postcommit.internal.store.Takeovers;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.testkit.explorer.oracle.History;
import dev.postcommit.testkit.explorer.scenario.Stage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/** The session by which others see that a relay is there, and what it takes over from others. */
public final class RelayPresence implements AutoCloseable {

  /** Longer than a session has to be gone before others take over. */
  public static final Duration GRACE = Duration.ofMillis(1_500);

  private static final String SHOW =
      """
      INSERT INTO %s (id, host, pid, started_at, seen_at, state, since, delivered,
        backend_pid, backend_started_at, server_started_at)
      VALUES (?, 'here', 1, now(), now(), 'running', now(), 0, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET backend_pid = excluded.backend_pid,
        backend_started_at = excluded.backend_started_at,
        server_started_at = excluded.server_started_at""";

  private final History history;
  private final Layout layout;
  private final Stage.Role self;
  private final DataSource connections;
  private final UUID id;
  private final RelaySession session;
  private final Takeovers takeovers;
  private Optional<Backend> recorded = Optional.empty();

  /** No I/O yet. */
  public RelayPresence(
      History history,
      Layout layout,
      Stage.Role self,
      DataSource connections,
      UUID id,
      ClaimRequest request,
      LongSupplier clock) {
    this.history = history;
    this.layout = layout;
    this.self = self;
    this.connections = connections;
    this.id = id;
    this.session = RelaySession.of(connections);
    this.takeovers = new Takeovers(connections, layout, id, request, clock);
  }

  /** Shows itself, and looks for others that are gone. */
  public void tick() {
    try {
      Optional<Backend> found = session.check();
      if (found.isPresent() && !found.equals(recorded)) {
        show(found.get());
        recorded = found;
        history.isBack(self.name());
      }
      if (takeovers.run(session)) {
        history.takenOver();
      }
    } catch (SQLException | PostcommitException e) {
      self.note(String.valueOf(e.getMessage()));
    }
  }

  private void show(Backend backend) throws SQLException {
    try (Connection connection = connections.getConnection();
        PreparedStatement statement =
            connection.prepareStatement(SHOW.formatted(layout.relays().sql()))) {
      statement.setObject(1, id);
      statement.setLong(2, backend.pid());
      statement.setObject(3, backend.startedAt());
      statement.setObject(4, backend.serverStartedAt());
      statement.executeUpdate();
    }
  }

  @Override
  public void close() {
    session.close();
  }
}
