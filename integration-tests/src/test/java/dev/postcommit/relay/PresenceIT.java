package dev.postcommit.relay;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin.RelayPresence;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How relays show that they are there. */
@SuppressWarnings("try") // a relay works without being spoken to
class PresenceIT extends RelayFixture {
  private static final String TABLES =
      "postcommit_outbox_relay, postcommit_outbox_pause, postcommit_outbox_topic";

  private List<RelayPresence> relays() {
    return admin().relays().orElseThrow();
  }

  @Test
  @DisplayName("R49: a relay shows itself from its start to its close, also while it is idle")
  void aRelayShowsItself() {
    try (Relay first = started(relay());
        Relay second = started(relay())) {
      awaitUntil(() -> relays().size() == 2);
      assertThat(relays())
          .extracting(RelayPresence::id)
          .containsExactlyInAnyOrder(first.id(), second.id());
      assertThat(relays())
          .allSatisfy(
              relay -> {
                assertThat(relay.isAlive()).isTrue();
                assertThat(relay.state()).isEqualTo("running");
                assertThat(relay.host()).isNotBlank();
                assertThat(relay.pid()).isEqualTo(ProcessHandle.current().pid());
                assertThat(relay.reason()).isNull();
              });
      second.close();
      assertThat(relays()).extracting(RelayPresence::id).containsExactly(first.id());
    }
    assertThat(relays()).isEmpty();
  }

  @Test
  @DisplayName("R49: what a relay has delivered can be read from its row")
  void aRelaySaysWhatItDelivered() {
    try (Relay relay = started(relay())) {
      awaitDelivered(enqueue("a", 7));
      awaitUntil(() -> relays().get(0).delivered() == 7);
      awaitUntil(() -> relays().get(0).perSecond() == 0);
    }
  }

  @Test
  @DisplayName("R49: an outage of the broker shows, with its reason and for how long it lasts")
  void anOutageShows() {
    AtomicBoolean down = new AtomicBoolean(true);
    publisher.answering(
        message ->
            down.get()
                ? new Delivery.Unavailable("cannot reach kafka://me:secret@host\n\tat once", null)
                : Delivery.DELIVERED);
    publisher.ready(true);
    enqueue("a", 1);
    try (Relay relay = started(relay())) {
      awaitUntil(
          () ->
              relays().stream()
                  .anyMatch(
                      row ->
                          row.state().equals("broker-unavailable")
                              && "cannot reach kafka://host at once".equals(row.reason())));
      Duration first = relays().get(0).lasting();
      awaitUntil(() -> relays().get(0).lasting().compareTo(first) > 0);

      down.set(false);
      awaitUntil(() -> relays().get(0).state().equals("running"));
      assertThat(relays().get(0).reason()).isNull();
    }
  }

  @Test
  @DisplayName("relays that were killed are forgotten after a minute, and not alive before")
  void deadRelaysAreForgotten() {
    execute(
        """
        INSERT INTO postcommit_outbox_relay
          (id, host, pid, started_at, seen_at, state, since, delivered)
        SELECT gen_random_uuid(), 'h', 1, now(), now() - s * interval '1 s', 'running', now(), 0
        FROM unnest(ARRAY[30, 61, 3600]) s""");
    assertThat(relays()).hasSize(3).noneMatch(RelayPresence::isAlive);
    try (Relay relay = started(relay())) {
      awaitUntil(() -> relays().size() == 2);
      assertThat(relays()).filteredOn(RelayPresence::isAlive).hasSize(1);
    }
  }

  @Test
  @DisplayName("R28: a relay works where the tables for its presence are not there")
  void aRelayWorksWithoutTheTables() {
    execute("DROP TABLE " + TABLES);
    try (Relay relay = started(relay())) {
      awaitDelivered(enqueue("a", 3));
      assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);
      assertThat(admin().relays()).isEmpty();
      assertThat(admin().paused()).isEmpty();
      assertThat(admin().topics()).isEmpty();
    } finally {
      restoreTables();
    }
  }

  @Test
  @DisplayName("R28: a relay goes on when the tables for its presence are dropped")
  void aRelaySurvivesTheLossOfTheTables() {
    try (Relay relay = started(relay())) {
      awaitUntil(() -> relays().size() == 1);
      execute("DROP TABLE " + TABLES);
      awaitDelivered(enqueue("a", 3));
      assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);
    } finally {
      restoreTables();
    }
  }

  private void restoreTables() {
    execute("DELETE FROM postcommit_outbox_history WHERE version = '5'");
    createTables();
  }

  @Test
  @DisplayName("R28: a relay works without rights on the tables, and obeys a pause it may read")
  void aRelayWorksWithoutRights() {
    String user = "relay_" + database().name();
    execute("CREATE ROLE " + user + " LOGIN");
    execute("GRANT SELECT, UPDATE ON postcommit_outbox TO " + user);
    execute("GRANT SELECT, INSERT, UPDATE, DELETE ON postcommit_outbox_claim TO " + user);
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database().jdbcUrl());
    config.setUsername(user);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      try (Relay relay = started(Relay.builder(pool, publisher))) {
        awaitDelivered(enqueue("a", 3));
        assertThat(relays()).isEmpty();
        waitsForATopic();
      }
      execute("GRANT SELECT ON postcommit_outbox_pause TO " + user);
      admin().pause(new Decision("ada", null));
      try (Relay relay = started(Relay.builder(pool, publisher))) {
        awaitUntil(() -> relay.state() == Relay.State.PAUSED);
        assertThat(relays()).isEmpty();
      }
    } finally {
      execute("DROP OWNED BY " + user);
      execute("DROP ROLE " + user);
    }
  }

  /** Events wait for a topic that is not there, and are delivered when it is. */
  private void waitsForATopic() {
    AtomicInteger probes = new AtomicInteger();
    publisher.answering(
        message ->
            message.topic().equals("missing") && probes.incrementAndGet() <= 2
                ? new Delivery.TopicUnavailable("topic missing does not exist", null)
                : Delivery.DELIVERED);
    awaitDelivered(
        Stream.of("b", "c", "d")
            .flatMap(key -> enqueue(event(key).topic("missing").json("1").build()).stream())
            .toList());
    assertThat(admin().topics().orElseThrow()).isEmpty();
  }

  @Test
  @DisplayName("R28: a relay shows itself again after an outage of the database")
  void aRelayShowsItselfAgain() {
    OutagePool pool = new OutagePool(dataSource());
    try (Relay relay = started(Relay.builder(pool.dataSource(), publisher))) {
      awaitUntil(() -> relays().size() == 1);
      pool.fail(true);
      awaitUntil(() -> relay.state() == Relay.State.DATABASE_UNAVAILABLE);
      execute("DELETE FROM postcommit_outbox_relay");
      pool.fail(false);
      awaitUntil(() -> relays().size() == 1);
      assertThat(relays().get(0).id()).isEqualTo(relay.id());
    }
  }

  @Test
  @DisplayName("R28: with a single connection a relay delivers, shows itself and closes")
  void oneConnectionIsEnough() {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database().jdbcUrl());
    config.setUsername(database().username());
    config.setMaximumPoolSize(1);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      try (Relay relay =
          started(Relay.builder(pool, publisher).pollInterval(Duration.ofMillis(20)))) {
        awaitDelivered(enqueue("a", 3));
        awaitUntil(() -> relays().stream().anyMatch(row -> row.delivered() == 3));
      }
      assertThat(relays()).isEmpty();
    }
  }
}
