package dev.postcommit.examples.packfinderz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postcommit.Actor;
import dev.postcommit.DomainEvents;
import dev.postcommit.NoTransactionException;
import dev.postcommit.Outbox;
import dev.postcommit.examples.packfinderz.licenses.LicenseRefusedException;
import dev.postcommit.examples.packfinderz.licenses.LicenseService;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("R53, R3: changes of licenses and their events")
class LicenseServiceIT {
  private static final UUID STORE = UUID.randomUUID();
  private static final Actor ADMIN = new Actor(UUID.randomUUID(), STORE, "admin");

  private static PostgresDatabase database;

  private final LicenseService licenses =
      new LicenseService(DomainEvents.on(Outbox.builder(Tables.OUTBOX).build()));

  @BeforeAll
  static void create() {
    database = PostgresServer.shared().createDatabase();
    Tables.migrate(database.dataSource());
    // As each start of a service does.
    Tables.migrate(database.dataSource());
  }

  @AfterAll
  static void drop() {
    database.close();
  }

  @BeforeEach
  void empty() throws SQLException {
    Sql.execute(database.dataSource(), "TRUNCATE licenses, outbox_events");
  }

  private UUID upload() throws SQLException {
    return Transaction.run(database.dataSource(), tx -> licenses.upload(tx, STORE, ADMIN));
  }

  private UUID approve(UUID license) throws SQLException {
    return Transaction.run(
        database.dataSource(),
        tx -> {
          licenses.approve(tx, license, ADMIN);
          return license;
        });
  }

  private UUID reject(UUID license, String reason) throws SQLException {
    return Transaction.run(
        database.dataSource(),
        tx -> {
          licenses.reject(tx, license, reason, ADMIN);
          return license;
        });
  }

  private List<String> events() throws SQLException {
    return Sql.list(
        database.dataSource(),
        "SELECT concat_ws(' ', aggregate_type, aggregate_id, event_type, payload_json->'data')"
            + " FROM outbox_events ORDER BY id");
  }

  private String status(UUID license) throws SQLException {
    return Sql.list(
            database.dataSource(), "SELECT status FROM licenses WHERE id = '" + license + "'")
        .get(0);
  }

  @Test
  void eachChangeIsToldInItsTransaction() throws SQLException, JsonProcessingException {
    UUID approved = approve(upload());
    UUID rejected = reject(upload(), "not legible");

    assertThat(status(approved)).isEqualTo("verified");
    assertThat(status(rejected)).isEqualTo("rejected");
    String told = "license %s license_status_changed {";
    String body = "\"storeId\": \"" + STORE + "\", \"licenseId\": \"%s\"";
    assertThat(events())
        .containsExactly(
            (told + "\"status\": \"pending\", " + body + "}").formatted(approved, approved),
            (told + "\"status\": \"verified\", " + body + "}").formatted(approved, approved),
            (told + "\"status\": \"pending\", " + body + "}").formatted(rejected, rejected),
            (told + "\"reason\": \"not legible\", \"status\": \"rejected\", " + body + "}")
                .formatted(rejected, rejected));
    JsonNode actor =
        new ObjectMapper()
            .readTree(
                Sql.list(
                        database.dataSource(),
                        "SELECT DISTINCT payload_json->'actor' FROM outbox_events")
                    .get(0));
    assertThat(actor.get("userId").asText()).isEqualTo(ADMIN.userId().toString());
    assertThat(actor.get("role").asText()).isEqualTo("admin");
  }

  @Test
  void whatIsRefusedChangesAndTellsNothing() throws SQLException {
    UUID license = approve(upload());
    int before = events().size();

    assertThatThrownBy(() -> approve(license))
        .isInstanceOf(LicenseRefusedException.class)
        .hasMessage(
            "license %s is verified and cannot become verified; only a pending one can", license);
    assertThatThrownBy(() -> reject(license, null)).isInstanceOf(LicenseRefusedException.class);
    UUID unknown = UUID.randomUUID();
    assertThatThrownBy(() -> approve(unknown))
        .isInstanceOf(LicenseRefusedException.class)
        .hasMessage("there is no license " + unknown);

    assertThat(status(license)).isEqualTo("verified");
    assertThat(events()).hasSize(before);
  }

  @Test
  @DisplayName("R1, R2: a rollback removes both; outside a transaction nothing is told")
  void licenseAndEventShareTheirFate() throws SQLException {
    new Desk(database.dataSource(), licenses).uploadAndRollBack();
    try (Connection connection = database.dataSource().getConnection()) {
      assertThatThrownBy(() -> licenses.upload(connection, STORE, ADMIN))
          .isInstanceOf(NoTransactionException.class);
    }

    assertThat(events()).isEmpty();
  }
}
