package dev.postcommit.relay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a relay deletes by itself. */
@SuppressWarnings("try") // a relay works without being spoken to
class RetentionIT extends RelayFixture {

  @Test
  @DisplayName("R46: a relay built by hand deletes what was delivered 30 days ago, nothing else")
  void aRelayBuiltByHandPrunes() {
    List<String> old = enqueue("old", 3);
    List<String> recent = enqueue("recent", 1);
    enqueue(
        Event.builder("later")
            .key("pending")
            .json("1")
            .availableAt(Instant.now().plusSeconds(3600))
            .build());
    try (Relay relay = started(relay())) {
      awaitUntil(() -> publisher.accepted().containsAll(old));
      awaitUntil(() -> publisher.accepted().containsAll(recent));
      awaitUntil(() -> admin().status().pending() == 1);
      execute(
          "UPDATE postcommit_outbox SET delivered_at = now() - interval '31 days'"
              + " WHERE key = 'old'");

      awaitUntil(() -> !keys().contains("old"));
    }
    assertThat(keys()).containsExactlyInAnyOrder("recent", "pending");
  }

  @Test
  @DisplayName("R46: a relay that may not delete delivers, and says once what to grant")
  void aRelayThatMayNotDeleteSaysWhatToGrant() {
    String user = "keeper_" + database().name();
    execute("CREATE ROLE " + user + " LOGIN");
    execute("GRANT SELECT, UPDATE ON postcommit_outbox TO " + user);
    execute("GRANT SELECT, INSERT, UPDATE, DELETE ON postcommit_outbox_claim TO " + user);
    Logger logger = (Logger) LoggerFactory.getLogger("dev.postcommit.internal.relay.Pruner");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    List<String> failures = new CopyOnWriteArrayList<>();
    RelayListener listener =
        new RelayListener() {
          @Override
          public void pruneFailed(String reason) {
            failures.add(reason);
          }
        };
    List<String> ids = enqueue("a", 2);
    try (HikariDataSource pool = login(user);
        Relay relay = started(Relay.builder(pool, publisher).listener(listener))) {
      awaitDelivered(ids);
      awaitUntil(() -> !failures.isEmpty());
      assertThat(relay.state()).isEqualTo(Relay.State.RUNNING);
    } finally {
      logger.detachAppender(lines);
      execute("DROP OWNED BY " + user);
      execute("DROP ROLE " + user);
    }
    assertThat(failures).singleElement().asString().contains("GRANT DELETE", "TO " + user);
    assertThat(lines.list)
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.getLevel()).isEqualTo(Level.WARN);
              assertThat(line.getFormattedMessage())
                  .contains("retention time (30d)", "GRANT DELETE ON postcommit_outbox TO " + user);
            });
  }

  private HikariDataSource login(String user) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database().jdbcUrl());
    config.setUsername(user);
    return new HikariDataSource(config);
  }

  private List<String> keys() {
    List<String> keys = new ArrayList<>();
    query("SELECT key FROM postcommit_outbox", keys::add);
    return keys;
  }
}
