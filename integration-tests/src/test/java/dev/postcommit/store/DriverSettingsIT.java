package dev.postcommit.store;

import static dev.postcommit.store.DriverTable.awaitUntil;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.Enqueued.AlreadyEnqueued;
import dev.postcommit.Enqueued.Written;
import dev.postcommit.Event;
import dev.postcommit.fixture.DriverSettings;
import dev.postcommit.flyway.OutboxMigration;
import dev.postcommit.layout.Role;
import dev.postcommit.testkit.contract.LayoutSample;
import dev.postcommit.testkit.contract.Samples;
import dev.postcommit.testkit.postgres.PostgresDatabase;
import dev.postcommit.testkit.postgres.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Settings of the driver that change how it sends statements: one by one or together, prepared or
 * not, with or without the types of values.
 */
class DriverSettingsIT {
  private static final List<LayoutSample> LAYOUTS =
      List.of(Samples.NATIVE, Samples.LOG, Samples.MODKIT, Samples.POLYSHOP);

  /** More than it takes the driver to prepare a statement on the server. */
  private static final int ROUNDS = 6;

  private static final int EVENTS = 150;

  private static final Map<LayoutSample, PostgresDatabase> DATABASES = new HashMap<>();

  private static PostgresDatabase database(LayoutSample sample) {
    return DATABASES.computeIfAbsent(
        sample,
        added -> {
          PostgresDatabase database = PostgresServer.shared().createDatabase();
          OutboxMigration.migrate(database.dataSource(), sample.layout());
          return database;
        });
  }

  @AfterAll
  static void dropDatabases() {
    DATABASES.values().forEach(PostgresDatabase::close);
    DATABASES.clear();
  }

  @FunctionalInterface
  private interface Work {
    void with(DriverTable table) throws Exception;
  }

  /** Does the work in every layout with every setting, and tells which of them fail. */
  private static void each(Work work) {
    SoftAssertions all = new SoftAssertions();
    for (LayoutSample sample : LAYOUTS) {
      for (String setting : DriverSettings.ALL) {
        all.assertThatCode(
                () -> {
                  try (DriverTable table = new DriverTable(database(sample), sample, setting)) {
                    work.with(table);
                  }
                })
            .as("%s, %s", sample.layout().name(), setting)
            .doesNotThrowAnyException();
      }
    }
    all.assertAll();
  }

  @Test
  @DisplayName("R16, R40: relays that claim at the same time share no event and no key")
  void relaysShareNoEventAndNoKey() {
    each(
        table -> {
          List<String> written = table.write(EVENTS);

          List<List<StoredEvent>> claims = table.claimTogether();

          List<StoredEvent> events = claims.stream().flatMap(List::stream).toList();
          assertThat(DriverTable.ids(events)).doesNotHaveDuplicates();
          if (table.isShared()) {
            assertThat(claims.stream().flatMap(c -> c.stream().map(StoredEvent::key).distinct()))
                .doesNotHaveDuplicates();
          } else {
            assertThat(DriverTable.ids(events)).containsExactlyInAnyOrderElementsOf(written);
          }
        });
  }

  @Test
  @DisplayName("an event is written, read, settled and replayed, however it is sent")
  void anEventGoesAllTheWay() {
    each(
        table -> {
          OutboxStore store = table.store();
          OutboxAdmin admin = table.admin();
          for (int round = 0; round < ROUNDS; round++) {
            Event event = table.event("k" + round).json("{\"n\": \"ü\"}").build();
            Event other = table.event("other" + round).json("[]").build();
            table.transaction(tx -> table.outbox().enqueue(tx, event));
            table.transaction(tx -> table.outbox().enqueueAll(tx, List.of(other, table.small())));
            Claim claim = table.claim(store, 3);
            StoredEvent read = claim.events().get(0);
            assertThat(read.id()).isEqualTo(event.id().toString());
            assertThat(new String(read.payload(), UTF_8)).isEqualTo("{\"n\": \"ü\"}");
            assertThat(claim.events().get(1).id()).isEqualTo(other.id().toString());
            store.renew(claim, Duration.ofMinutes(1));
            store.settle(
                claim,
                List.of(
                    new Outcome.Retry(read.id(), "again", Duration.ofMillis(1)),
                    new Outcome.Dead(other.id().toString(), "never"),
                    new Outcome.Released(claim.events().get(2).id())));
            awaitUntil(() -> table.deliver(store).isEmpty() && table.isDone());
          }
          assertThat(admin.status().dead()).isEqualTo(ROUNDS);
          assertThat(admin.replay(DeadFilter.all(), new Decision("op", "why"))).isEqualTo(ROUNDS);
          awaitUntil(() -> table.deliver(store).isEmpty() && table.isDone());
          admin.prune(Duration.ZERO, 10);
        });
  }

  @Test
  @DisplayName(
      "R12: of two events with one dedupe key the second is not written, however it is sent")
  void aDedupeKeyIsTakenOnce() {
    each(
        table -> {
          if (table.layout().column(Role.DEDUPE_KEY).isEmpty()) {
            return;
          }
          for (int round = 0; round < ROUNDS; round++) {
            Event first = table.deduplicated("a" + round);
            Event second = table.deduplicated("b" + round);
            List<Object> results = new ArrayList<>();
            table.transaction(tx -> results.add(table.outbox().enqueue(tx, first)));
            table.transaction(
                tx ->
                    results.addAll(
                        table
                            .outbox()
                            .enqueueAll(
                                tx, List.of(table.deduplicated(first.dedupeKey()), second))));
            table.transaction(
                tx ->
                    results.add(
                        table.outbox().enqueue(tx, table.deduplicated(second.dedupeKey()))));
            assertThat(results)
                .containsExactly(
                    new Written(first.id()),
                    new AlreadyEnqueued(first.id()),
                    new Written(second.id()),
                    new AlreadyEnqueued(second.id()));
          }
        });
  }
}
