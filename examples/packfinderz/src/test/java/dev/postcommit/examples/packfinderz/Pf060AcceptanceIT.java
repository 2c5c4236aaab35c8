package dev.postcommit.examples.packfinderz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.postcommit.Actor;
import dev.postcommit.DomainEvent;
import dev.postcommit.DomainEvents;
import dev.postcommit.Outbox;
import dev.postcommit.layout.Column;
import dev.postcommit.layout.Role;
import dev.postcommit.store.LayoutCheck;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** PF-060: model, enums, envelope and migration. */
@DisplayName("R57: PF-060, OutboxEvent Model, Enums, Envelope + Migration")
class Pf060AcceptanceIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What is to stay as it was written. */
  private static final List<String> IMMUTABLE_COLUMNS =
      List.of("id", "event_type", "aggregate_type", "aggregate_id", "payload_json", "created_at");

  private static final String IMMUTABLE =
      "SELECT (%s) FROM outbox_events ORDER BY id".formatted(String.join(", ", IMMUTABLE_COLUMNS));

  private static PostgresDatabase database;

  private final DomainEvents events = DomainEvents.on(Outbox.builder(Tables.OUTBOX).build());

  @BeforeAll
  static void migrate() {
    database = PostgresServer.shared().createDatabase();
    Tables.migrate(database.dataSource());
  }

  @AfterAll
  static void drop() {
    database.close();
  }

  @BeforeEach
  void empty() throws SQLException {
    Sql.execute(database.dataSource(), "TRUNCATE outbox_events");
  }

  private static List<String> list(String query) throws SQLException {
    return Sql.list(database.dataSource(), query);
  }

  private String emit(String type, String aggregateType, UUID aggregate, Actor by)
      throws SQLException {
    DomainEvent event =
        DomainEvent.builder(type)
            .aggregate(aggregateType, aggregate)
            .actor(by)
            .data("{\"total_cents\": 1250}")
            .occurredAt(Instant.parse("2026-03-04T05:06:07Z"))
            .build();
    return Transaction.run(database.dataSource(), tx -> events.emit(tx, event).id().toString());
  }

  @Test
  @DisplayName("outbox_events table exists with locked schema and indexes")
  void theTableExistsWithLockedSchemaAndIndexes() throws SQLException {
    assertThat(list(LockedTable.COLUMNS))
        .containsExactly(
            "id uuid not null",
            "event_type event_type_enum not null",
            "aggregate_type aggregate_type_enum not null",
            "aggregate_id uuid not null",
            "payload_json jsonb not null",
            "created_at timestamp with time zone not null default now()",
            "published_at timestamp with time zone",
            "attempt_count integer not null default 0",
            "last_error text");
    assertThat(list(LockedTable.INDEXES))
        .containsExactlyInAnyOrder(
            "primary unique btree (id)",
            "btree (published_at)",
            "btree (event_type)",
            "btree (aggregate_type, aggregate_id)");
    assertThat(list(LockedTable.EXTRAS)).isEmpty();
  }

  @Test
  @DisplayName("GORM model matches schema exactly")
  void theModelMatchesTheSchemaExactly() throws SQLException {
    List<String> inModel = new ArrayList<>();
    for (Column column : Set.copyOf(Tables.OUTBOX.columns().values())) {
      String type = list("SELECT CAST('%s' AS regtype)".formatted(column.type())).get(0);
      inModel.add(column.name() + " " + type);
    }
    assertThat(list(LockedTable.TYPES)).containsExactlyInAnyOrderElementsOf(inModel);
    LayoutCheck check = LayoutCheck.of(database.dataSource(), Tables.OUTBOX);
    assertThat(check.relay()).isEmpty();
    assertThat(check.outbox()).isEmpty();
    assertThat(check.admin()).isEmpty();
  }

  @Test
  @DisplayName("Enums are centrally defined and reused (no duplication)")
  void enumsAreDefinedOnceAndReused() throws IOException, SQLException {
    assertThat(Tables.OUTBOX.required(Role.TYPE).labels()).isEqualTo(LockedTable.EVENT_TYPES);
    assertThat(Tables.OUTBOX.required(Role.AGGREGATE_TYPE).labels())
        .isEqualTo(LockedTable.AGGREGATE_TYPES);
    assertThat(list("SELECT unnest(enum_range(NULL::event_type_enum))"))
        .isEqualTo(LockedTable.EVENT_TYPES);
    assertThat(list("SELECT unnest(enum_range(NULL::aggregate_type_enum))"))
        .isEqualTo(LockedTable.AGGREGATE_TYPES);

    // Whoever names a type or two uses the enum; whoever names most of them has made another.
    assertThat(filesThatList(LockedTable.EVENT_TYPES)).containsExactly("layout.properties");
    assertThat(filesThatList(LockedTable.AGGREGATE_TYPES)).containsExactly("layout.properties");

    assertThatThrownBy(() -> emit("order_teleported", "vendor_order", UUID.randomUUID(), null))
        .hasMessageContaining("order_teleported");
    assertThat(list("SELECT count(*) FROM outbox_events")).containsExactly("0");
  }

  /** The main sources that name more than half of the labels, each in quotes or in a list. */
  private static List<String> filesThatList(List<String> labels) throws IOException {
    List<String> names = new ArrayList<>();
    for (Path file : Repository.mainSources()) {
      String text = Repository.text(file);
      long named =
          labels.stream()
              .filter(
                  label ->
                      Pattern.compile("[\"']%1$s[\"']|, %1$s\\b|\\b%1$s,".formatted(label))
                          .matcher(text)
                          .find())
              .count();
      if (named > labels.size() / 2) {
        names.add(file.getFileName().toString());
      }
    }
    return names;
  }

  @Test
  @DisplayName("Payload envelope structs exist and are documented")
  void theEnvelopeIsAsLockedAndAsDocumented() throws IOException, SQLException {
    UUID user = UUID.randomUUID();
    UUID store = UUID.randomUUID();
    String bare = emit("order_created", "checkout_group", UUID.randomUUID(), null);
    String full =
        emit("order_created", "checkout_group", UUID.randomUUID(), new Actor(user, store, "admin"));

    assertThat(envelope(bare))
        .isEqualTo(
            JSON.readTree(
                """
                {"version": 1, "eventId": "%s", "occurredAt": "2026-03-04T05:06:07Z",
                 "data": {"total_cents": 1250}}"""
                    .formatted(bare)));
    JsonNode written = envelope(full);
    assertThat(written)
        .isEqualTo(
            JSON.readTree(
                """
                {"version": 1, "eventId": "%s", "occurredAt": "2026-03-04T05:06:07Z",
                 "actor": {"userId": "%s", "storeId": "%s", "role": "admin"},
                 "data": {"total_cents": 1250}}"""
                    .formatted(full, user, store)));

    Matcher documented =
        Pattern.compile("(?s)<!-- body: stored -->\\n```json\\n(.*?)```")
            .matcher(Repository.read("docs/messages.md"));
    assertThat(documented.find()).isTrue();
    JsonNode page = JSON.readTree(documented.group(1));
    assertThat(names(page)).isEqualTo(names(written));
    assertThat(names(page.get("actor"))).isEqualTo(names(written.get("actor")));
  }

  private static JsonNode envelope(String id) throws IOException, SQLException {
    return JSON.readTree(
        list("SELECT payload_json FROM outbox_events WHERE id = '" + id + "'").get(0));
  }

  private static Set<String> names(JsonNode object) {
    Set<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  @DisplayName("Only allowed fields are mutable (published_at, attempt_count, last_error)")
  void onlyTheAllowedColumnsChange() throws SQLException {
    UUID bad = UUID.randomUUID();
    String sent = emit("order_created", "vendor_order", UUID.randomUUID(), null);
    String failed = emit("order_created", "vendor_order", bad, null);
    List<String> before = list(IMMUTABLE);
    try (RestrictedRelay relay = new RestrictedRelay(database)) {
      // One that may change no other column does all its work.
      relay.deliverAllBut(bad);
      assertThat(list("SELECT id FROM outbox_events WHERE published_at IS NOT NULL"))
          .containsExactly(sent);
      assertThat(
              list(
                  """
                  SELECT concat_ws(' ', id, attempt_count, last_error) FROM outbox_events
                  WHERE published_at IS NULL"""))
          .containsExactly(failed + " 2 gave up after 2 attempts: java.io.IOException: no");
      assertThat(list(IMMUTABLE)).isEqualTo(before);
      for (String column : IMMUTABLE_COLUMNS) {
        String change = "UPDATE outbox_events SET %1$s = %1$s".formatted(column);
        assertThatThrownBy(() -> Sql.execute(relay.dataSource(), change))
            .as(column)
            .hasMessageContaining("permission denied");
      }
    }
  }
}
