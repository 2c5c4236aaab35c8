package dev.postcommit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.Event;
import dev.postcommit.Outbox;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Layout;
import dev.postcommit.layout.Role;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A table whose rows can be claimed but not read. */
class UnreadableEventsIT {
  private static final ClaimRequest REQUEST = ClaimRequest.of(10, Duration.ofMinutes(5), 3);

  @Test
  @DisplayName("R28: events that could not be read are given back at once, no attempt counted")
  void whatCouldNotBeReadIsGivenBack() throws SQLException {
    giveBack(Layout.nativeTable());
    giveBack(Layout.preset("modkit"));
  }

  private static void giveBack(Layout layout) throws SQLException {
    Layout mistaken = layout.withColumn(Role.HEADERS, new Column("dedupe_key", "text"));
    try (PostgresDatabase database = PostgresServer.shared().createDatabase()) {
      DataSource dataSource = database.dataSource();
      OutboxMigration.migrate(dataSource, layout);
      Event event = Event.builder("happened").dedupeKey("{").json("1").build();
      try (Connection tx = dataSource.getConnection()) {
        tx.setAutoCommit(false);
        Outbox.builder(layout).build().enqueue(tx, event);
        tx.commit();
      }

      OutboxStore store = OutboxStore.of(dataSource, mistaken, UUID.randomUUID());
      assertThatThrownBy(() -> store.claim(REQUEST)).isInstanceOf(UncheckedIOException.class);

      assertThat(OutboxAdmin.of(dataSource, layout).status().inFlight()).isZero();
      Claim claim = OutboxStore.of(dataSource, layout, UUID.randomUUID()).claim(REQUEST);
      assertThat(claim.events()).hasSize(1);
      assertThat(claim.events().get(0).attempt()).isEqualTo(1);
    }
  }
}
