package dev.postcommit.internal.store;

import static java.util.stream.Collectors.joining;

import dev.postcommit.internal.jdbc.Database;
import dev.postcommit.internal.jdbc.NamedSql;
import dev.postcommit.internal.store.Holdings.Gone;
import dev.postcommit.layout.Layout;
import dev.postcommit.store.ClaimRequest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over from relays that are gone: frees what they hold, so that nobody waits for the end of
 * their leases. For use by one thread.
 *
 * <p>A relay is gone if the {@linkplain RelaySession session} that it recorded in its row has been
 * gone for a second. Its claims, rows or lease are freed under the lock under which they are made,
 * by a statement that asks once more whether the session in the row is the same and is gone. From
 * then on the relay can settle nothing, should it live after all: it has only lost its session.
 *
 * <p>Messages that it has sent may still arrive, up to the end of its lease. Freed events are
 * delivered from the first one on, in their order, as the relay did, so that first arrivals are in
 * order whichever relay's they are. But that holds only as long as none is left out. So until the
 * lease would have ended nothing is given up: see {@link RelayStore.Taken#undecided}, and events on
 * their last attempt are not freed at all.
 */
public final class Takeovers {
  private static final Logger log = LoggerFactory.getLogger(Takeovers.class);

  private static final long GRACE_NANOS = 1_000_000_000L;
  private static final long PAUSE_NANOS = 500_000_000L;

  /** Stands for the owner of claims that were taken over. */
  public static final String NOBODY = "CAST('00000000-0000-0000-0000-000000000000' AS uuid)";

  private final Database database;
  private final UUID relay;
  private final LongSupplier nanoTime;
  private final List<Holdings> allHoldings;
  private final NamedSql find;
  private final Map<Gone, Long> seen = new HashMap<>();
  private long nextCheck;

  /**
   * The take-overs of one relay.
   *
   * @param request what the relay claims: it takes over what it would claim
   * @param nanoTime says when to check, and for how long a relay has been gone
   */
  public Takeovers(
      DataSource dataSource,
      Layout layout,
      UUID relay,
      ClaimRequest request,
      LongSupplier nanoTime) {
    this.database = new Database(dataSource, layout);
    this.relay = relay;
    this.nanoTime = nanoTime;
    this.nextCheck = nanoTime.getAsLong();
    this.allHoldings = Holdings.of(dataSource, layout, request);
    this.find = Holdings.find(layout, allHoldings);
  }

  /**
   * Checks, if it is time, whether relays are gone, and frees what those held that have been gone
   * for long enough. It asks over the relay's own session, so that its loss is noticed too.
   *
   * @return whether anything was freed
   * @throws SQLException if the session is lost
   */
  public boolean run(RelaySession session) throws SQLException {
    long now = nanoTime.getAsLong();
    if (now - nextCheck < 0) {
      return false;
    }
    nextCheck = now + PAUSE_NANOS;
    Map<Gone, String> found = session.run(this::find).orElse(Map.of());
    seen.keySet().retainAll(found.keySet());
    found.keySet().forEach(gone -> seen.putIfAbsent(gone, now));
    Set<Gone> over = new HashSet<>();
    for (Map.Entry<Gone, Long> each : seen.entrySet()) {
      long freedAt = each.getValue() + GRACE_NANOS;
      if (now - freedAt >= 0) {
        over.add(each.getKey());
      } else if (freedAt - nextCheck < 0) {
        nextCheck = freedAt;
      }
    }
    return !over.isEmpty() && free(over, found);
  }

  private Map<Gone, String> find(Connection connection) throws SQLException {
    Map<Gone, String> found = new HashMap<>();
    find.run(
        connection,
        to ->
            to.set("relay", relay)
                .forEach(
                    row -> {
                      String id = row.getString("id");
                      found.put(
                          new Gone(id, row.getLong("backend_pid"), row.getLong("started")),
                          "%s (process %d on %s)"
                              .formatted(id, row.getLong("pid"), row.getString("host")));
                    }));
    return found;
  }

  private boolean free(Set<Gone> over, Map<Gone, String> names) {
    long events = 0;
    long leases = 0;
    for (Holdings holdings : allHoldings) {
      Holdings.Freed freed = holdings.free(List.copyOf(over));
      events += freed.events();
      leases += freed.leases();
    }
    if (events + leases == 0) {
      return false;
    }
    log.warn(
        "relay {} is gone, so {} is delivered by others from now on: {}",
        over.stream().map(names::get).collect(joining(", ")),
        database.layout().table(),
        events == 0
            ? "what it had not recorded as delivered is delivered again"
            : events + " events that it held are delivered again");
    return true;
  }

  /** For how long nothing may be given up, read from a column of milliseconds. */
  public static Duration undecided(ResultSet row, String column) throws SQLException {
    return Duration.ofMillis(Math.max(row.getLong(column), 0));
  }
}
