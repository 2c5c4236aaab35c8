package dev.postcommit.store.log;

import static dev.postcommit.store.log.LogTable.await;
import static dev.postcommit.store.log.LogTable.drain;
import static dev.postcommit.store.log.LogTable.ids;
import static dev.postcommit.store.log.LogTable.upTo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.store.Claim;
import dev.postcommit.store.Grants;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Writers that get a transaction id and a number while a relay writes the cursor.
 *
 * <p>The relay's user has to pass a gate to read rows of the log, which stops it within a
 * statement.
 */
class LogFenceIT {
  private final LogTable log = LogTable.create();
  private final String user = "relay_" + log.database().name();

  @BeforeEach
  void buildGate() {
    log.execute("CREATE ROLE " + user + " LOGIN");
    Grants.relay(LogTable.LAYOUT, true, user).forEach(log::execute);
    log.execute("GRANT UPDATE ON postcommit_log TO " + user);
    log.execute(
        """
        CREATE FUNCTION passes_gate() RETURNS boolean LANGUAGE plpgsql AS $$
        BEGIN
          PERFORM pg_advisory_xact_lock_shared(1);
          RETURN true;
        END $$;
        CREATE POLICY gate ON postcommit_log USING (passes_gate());
        ALTER TABLE postcommit_log ENABLE ROW LEVEL SECURITY""");
  }

  @AfterEach
  void close() {
    log.closeStores();
    log.execute("DROP OWNED BY " + user);
    log.execute("DROP ROLE " + user);
    log.close();
  }

  private DataSource relays() {
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(log.database().jdbcUrl());
    dataSource.setUser(user);
    return dataSource;
  }

  private boolean isHeldUp() {
    return log.number(
            """
            SELECT count(*) FROM pg_stat_activity
            WHERE usename = '%s' AND wait_event = 'advisory' AND backend_xid IS NOT NULL"""
                .formatted(user))
        == 1;
  }

  /** Leads while somebody writes and commits, and somebody else commits when that is delivered. */
  private void leadsWhileSomebodyWrites(List<String> pending) throws Exception {
    OutboxStore store = log.store(relays());
    try (Session gate = log.session();
        Session writer = log.session()) {
      gate.run("SELECT pg_advisory_xact_lock(1)");
      CompletableFuture<Claim> leading = CompletableFuture.supplyAsync(() -> store.claim(upTo(9)));
      await(() -> isHeldUp() || leading.isDone());
      assertThat(leading).as("within a statement").isNotDone();
      String late = writer.write("late");
      List<String> others = new ArrayList<>(pending);
      others.addAll(log.enqueue("other", 1));
      gate.rollback();
      Claim claim = leading.get(20, TimeUnit.SECONDS);
      assertThat(ids(claim)).isEqualTo(others);
      store.settle(claim, others.stream().map(Outcome.Delivered::new).toList());
      List<String> next = log.enqueue("next", 1);
      assertThat(drain(store)).isEqualTo(next);
      writer.commit();
      assertThat(drain(store, List.of(late))).containsExactly(late);
    }
  }

  /** Some events are delivered, and one is not. */
  private List<String> deliverSome() throws SQLException {
    OutboxStore store = log.store(relays());
    List<String> some = log.enqueue("before", 3);
    assertThat(drain(store)).isEqualTo(some);
    log.closeStores();
    return log.enqueue("pending", 1);
  }

  @Test
  @DisplayName("R1: what is written while a relay sees to a sequence that was restarted is found")
  void writtenWhileTheSequenceIsSeenTo() throws Exception {
    List<String> pending = deliverSome();
    log.execute("ALTER SEQUENCE postcommit_log_seq RESTART WITH 1000");
    leadsWhileSomebodyWrites(pending);
  }

  @Test
  @DisplayName("R1: what is written while a relay adopts rows of another cluster is found")
  void writtenWhileRowsAreAdopted() throws Exception {
    List<String> pending = deliverSome();
    log.execute("UPDATE postcommit_log_cursor SET system = system + 1");
    leadsWhileSomebodyWrites(pending);
  }
}
