package dev.postcommit.relay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.postcommit.store.Grants;
import dev.postcommit.store.OutboxAdmin.RelayPresence;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.LoggerFactory;

/** A database that answers, and refuses one kind of statement. */
class FailingStatementIT extends RelayFixture {
  private static final String FULL = "could not extend file: No space left on device";

  private final Logger logger = (Logger) LoggerFactory.getLogger("dev.postcommit.internal.relay");
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          lines.add(event.getLevel() + " " + event.getFormattedMessage());
        }
      };
  private final RelayListener listener =
      new RelayListener() {
        @Override
        public void databaseUnavailable(String reason) {
          told.add("unavailable");
        }

        @Override
        public void databaseRecovered(Duration outage) {
          told.add("recovered");
        }
      };

  @BeforeEach
  void listen() {
    lines.clear();
    told.clear();
    appender.start();
    logger.addAppender(appender);
    execute(
        """
        CREATE OR REPLACE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION '%s' USING ERRCODE = '53100'; END $$"""
            .formatted(FULL));
  }

  @AfterEach
  void leave() {
    logger.detachAppender(appender);
    execute("DROP FUNCTION full_disk CASCADE");
  }

  private void refuse(String statement, String table) {
    execute(
        "CREATE TRIGGER full_disk BEFORE %s ON %s FOR EACH ROW EXECUTE FUNCTION full_disk()"
            .formatted(statement, table));
  }

  private List<String> linesWith(String text) {
    return lines.stream().filter(line -> line.contains(text)).toList();
  }

  @Test
  @DisplayName("one that cannot settle says so once, however often it claims, and once when it can")
  void settlementsFail() {
    refuse("UPDATE", "postcommit_outbox");
    try (Relay relay = started(relay().listener(listener).pollInterval(Duration.ofMillis(20)))) {
      for (int i = 1; i <= 3; i++) {
        int sent = i;
        enqueue("key-" + i, 1);
        awaitUntil(() -> publisher.accepted().size() == sent);
        awaitUntil(() -> relay.state() == Relay.State.DATABASE_UNAVAILABLE);
      }
      awaitUntil(
          () ->
              admin().relays().orElseThrow().stream()
                  .map(RelayPresence::reason)
                  .anyMatch(reason -> String.valueOf(reason).contains(FULL)));
      assertThat(relay.state()).isEqualTo(Relay.State.DATABASE_UNAVAILABLE);
      execute("DROP TRIGGER full_disk ON postcommit_outbox");
      awaitUntil(() -> relay.state() == Relay.State.RUNNING);
      awaitUntil(() -> admin().status().pending() == 0);
    }
    assertThat(linesWith("available")).isEmpty();
    assertThat(linesWith("settle"))
        .hasSize(2)
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .isEqualTo(
                        "WARN cannot settle, trying again: could not settle events of"
                            + " postcommit_outbox: the disk of the database is full: ERROR: "
                            + FULL
                            + " (SQLSTATE 53100)"),
            line -> assertThat(line).matches("INFO can settle again after \\d.* m?s"));
    assertThat(told).containsExactly("unavailable", "recovered");
  }

  @Test
  @DisplayName("one that cannot claim says so once, and once when it can")
  void claimsFail() {
    refuse("INSERT", "postcommit_outbox_claim");
    enqueue("key", 1);
    try (Relay relay = started(relay().listener(listener).pollInterval(Duration.ofMillis(20)))) {
      awaitUntil(() -> relay.state() == Relay.State.DATABASE_UNAVAILABLE);
      execute("DROP TRIGGER full_disk ON postcommit_outbox_claim");
      awaitUntil(() -> admin().status().pending() == 0);
      awaitUntil(() -> relay.state() == Relay.State.RUNNING);
    }
    assertThat(linesWith("available")).isEmpty();
    assertThat(linesWith("claim")).hasSize(2);
    assertThat(linesWith("cannot claim, trying again: ").get(0)).contains(FULL);
    assertThat(linesWith("INFO can claim again after ")).hasSize(1);
    assertThat(told).containsExactly("unavailable", "recovered");
  }

  @Test
  @DisplayName("one that may not settle claims no more, says what to grant, and goes on with it")
  void aPrivilegeIsTakenAway() {
    String user = "relay_" + database().name();
    execute("CREATE ROLE " + user + " LOGIN");
    Grants.relay(layout(), false, user).forEach(this::execute);
    PGSimpleDataSource login = new PGSimpleDataSource();
    login.setUrl(database().jdbcUrl());
    login.setUser(user);
    String grant = "GRANT UPDATE (delivered_at) ON postcommit_outbox TO " + user;
    try (Relay relay = started(Relay.builder(login, publisher).listener(listener))) {
      awaitDelivered(enqueue("first", 1));
      execute("REVOKE UPDATE (delivered_at) ON postcommit_outbox FROM " + user);
      enqueue("second", 1);
      awaitUntil(() -> !linesWith("WARN the table cannot be used, checking again: ").isEmpty());
      enqueue("third", 1);
      awaitUntil(
          () ->
              admin().relays().orElseThrow().stream()
                  .anyMatch(row -> String.valueOf(row.reason()).endsWith(grant)));
      assertThat(publisher.accepted()).hasSize(2);

      execute(grant);
      awaitUntil(() -> admin().status().pending() == 0);
      awaitUntil(() -> relay.state() == Relay.State.RUNNING);
    } finally {
      execute("DROP OWNED BY " + user);
      execute("DROP ROLE " + user);
    }
    assertThat(publisher.accepted()).hasSize(3);
    assertThat(linesWith("cannot settle")).hasSize(1);
    assertThat(linesWith("cannot be used")).singleElement().asString().endsWith("; " + grant);
    assertThat(linesWith("INFO the table can be used after ")).hasSize(1);
    assertThat(linesWith("INFO can settle again after ")).hasSize(1);
    assertThat(told).containsExactly("unavailable", "recovered");
  }
}
