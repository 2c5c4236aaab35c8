package dev.postcommit.store.log;

import static dev.postcommit.store.log.LogTable.await;
import static dev.postcommit.store.log.LogTable.drain;
import static dev.postcommit.store.log.LogTable.upTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.PostcommitException;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.LeaseLostException;
import dev.postcommit.store.OutboxStore;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Rows of a log whose numbers are lower than those that its relay has passed. */
class LogNumbersIT {
  private static final String SEQUENCE = "postcommit_log_seq";

  private final LogTable log = LogTable.create();

  @AfterEach
  void close() {
    log.close();
  }

  /** The floor of the cursor is far above the lowest numbers then. */
  private void deliverSome(OutboxStore store) {
    log.query("SELECT setval('%1$s', greatest(20, last_value)) FROM %1$s".formatted(SEQUENCE));
    for (int i = 0; i < 2; i++) {
      assertThat(drain(store)).isEqualTo(List.of());
      List<String> some = log.enqueue("before", 3);
      assertThat(drain(store)).isEqualTo(some);
    }
    assertThat(log.cursor("floor")).as("the floor").isGreaterThan(20);
  }

  /** The store has looked for rows below its floor, and goes on from there. */
  private void deliverAndCheck(OutboxStore store) {
    deliverSome(store);
    await(
        () -> {
          List<String> one = log.enqueue("before", 1);
          assertThat(drain(store)).isEqualTo(one);
          return log.cursor("checked_floor") > 20;
        });
  }

  /** Delivers what the next claim has, and does not look any further. */
  private static void deliver(OutboxStore store, List<String> expected) {
    deliver(store, upTo(9), expected);
  }

  private static void deliver(OutboxStore store, ClaimRequest request, List<String> expected) {
    Claim claim = store.claim(request);
    assertThat(LogTable.ids(claim)).isEqualTo(expected);
    expected.forEach(id -> store.ack(claim, id));
  }

  private void numbers(String change) {
    log.execute("ALTER SEQUENCE " + SEQUENCE + " " + change);
  }

  /** Writes an event with a number of its own choice, in a transaction of its own. */
  private String writeAt(long number) {
    return log.query(
        """
        INSERT INTO postcommit_log (seq, id, topic, type, key, payload)
        OVERRIDING SYSTEM VALUE VALUES (%d, gen_random_uuid(), 't', 't', 'low', '\\x7b7d')
        RETURNING id"""
            .formatted(number));
  }

  /** Delivers what there is, up to where the store has something to object. */
  private static void drainUntilRefused(OutboxStore store) {
    assertThatThrownBy(
            () ->
                await(
                    () -> {
                      drain(store);
                      return false;
                    }))
        .isInstanceOf(PostcommitException.class)
        .hasMessageContaining("ALTER SEQUENCE")
        .hasMessageContaining("CACHE 1")
        .hasMessageContaining("reconnect");
  }

  @Test
  @DisplayName("R1: a session that cached numbers before a relay started loses nothing")
  void aSessionThatCachedNumbers() throws SQLException {
    try (Session writer = log.session()) {
      numbers("CACHE 100");
      List<String> first = new ArrayList<>(List.of(writer.write("a")));
      writer.commit();
      numbers("CACHE 1");
      OutboxStore store = log.store();
      first.addAll(log.enqueue("b", 2));
      assertThat(drain(store, first)).isEqualTo(first);
      deliverSome(store);

      String late = writer.write("a");
      writer.commit();
      assertThat(log.admin().status().pending()).isEqualTo(1);
      assertThat(drain(store, List.of(late))).containsExactly(late);
    }
  }

  @Test
  @DisplayName("R1: rows of cached numbers are not lost when the cache is set while a relay leads")
  void numbersAreCachedWhileARelayLeads() throws SQLException {
    OutboxStore store = log.store();
    deliverSome(store);
    numbers("CACHE 100");
    List<String> written = new ArrayList<>();
    List<String> delivered = new ArrayList<>();
    try (Session low = log.session();
        Session high = log.session()) {
      for (Session session : List.of(low, high, high)) {
        written.add(session.write("a"));
        session.commit();
        try {
          delivered.addAll(drain(store));
        } catch (LeaseLostException e) {
          assertThat(delivered).as("the first may be settled no more").isEmpty();
        } catch (PostcommitException e) {
          assertThat(e).hasMessageContaining("CACHE 1");
        }
      }
      written.add(low.write("a"));
      low.commit();
    }
    assertThat(log.admin().status().pending()).as("pending").isPositive();
    drainUntilRefused(store);
    numbers("CACHE 1");
    assertThat(drain(store, written)).doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("no store leads while numbers come in another order than one by one")
  void noStoreLeads() {
    for (String setting : List.of("CACHE 100", "INCREMENT 2", "CYCLE")) {
      numbers(setting);
      assertThatThrownBy(() -> log.store().claim(upTo(9)))
          .isInstanceOf(PostcommitException.class)
          .hasMessageContaining("ALTER SEQUENCE postcommit_log_seq INCREMENT 1 CACHE 1 NO CYCLE")
          .hasMessageContaining("reconnect");
      numbers("CACHE 1 INCREMENT 1 NO CYCLE");
      List<String> ids = log.enqueue("a", 2);
      assertThat(drain(log.store(), ids)).isEqualTo(ids);
      log.closeStores();
    }
  }

  @Test
  @DisplayName("R1: TRUNCATE … RESTART IDENTITY loses nothing that is written afterwards")
  void truncatedWhileARelayLeads() {
    OutboxStore store = log.store();
    deliverSome(store);
    log.execute("TRUNCATE postcommit_log RESTART IDENTITY");
    List<String> ids = log.enqueue("a", 3);
    assertThat(log.admin().status().pending()).as("pending").isEqualTo(3);
    assertThat(drain(store, ids)).isEqualTo(ids);
    ids = log.enqueue("a", 30);
    assertThat(drain(store, ids)).isEqualTo(ids);
    assertThat(log.admin().status().pending()).as("pending").isZero();
  }

  @Test
  @DisplayName("R1: numbers that were restarted and have passed the cursor since lose nothing")
  void truncatedWhileNoRelayLeads() {
    OutboxStore store = log.store();
    deliverSome(store);
    store.close();
    log.execute("TRUNCATE postcommit_log RESTART IDENTITY");
    List<String> ids = log.enqueue("a", 30);
    assertThat(log.admin().status().pending()).as("pending").isEqualTo(30);
    OutboxStore next = log.store();
    assertThat(drain(next, ids)).isEqualTo(ids);
    assertThat(log.admin().status().pending()).as("pending").isZero();
  }

  @Test
  @DisplayName("R1: a sequence that is set back loses nothing that is written afterwards")
  void setBack() {
    OutboxStore store = log.store();
    deliverSome(store);
    log.execute("DELETE FROM postcommit_log");
    log.query("SELECT setval('" + SEQUENCE + "', 1)");
    List<String> ids = log.enqueue("a", 2);
    assertThat(drain(store, ids)).isEqualTo(ids);
    log.query("SELECT setval('" + SEQUENCE + "', 100)");
    ids = log.enqueue("a", 2);
    assertThat(drain(store, ids)).isEqualTo(ids);
  }

  @Test
  @DisplayName("R1: a transaction that wrote before the relay noticed that numbers were set back")
  void openWhileSetBack() throws SQLException {
    OutboxStore store = log.store();
    deliverSome(store);
    log.execute("DELETE FROM postcommit_log");
    log.query("SELECT setval('" + SEQUENCE + "', 1)");
    try (Session open = log.session()) {
      String late = open.write("late");
      List<String> ids = log.enqueue("a", 2);
      assertThat(drain(store, ids)).isEqualTo(ids);
      open.commit();
      assertThat(drain(store, List.of(late))).containsExactly(late);
    }
  }

  @Test
  @DisplayName("R1: a row below the floor is pending until it is found, by its transaction's id")
  void aRowBelowTheFloor() {
    OutboxStore store = log.store();
    deliverAndCheck(store);
    String low = writeAt(5);
    assertThat(log.admin().status().pending()).as("pending").isEqualTo(1);
    assertThat(log.admin().gauges().pending().rows()).as("gauge").isEqualTo(1);
    assertThat(drain(store, List.of(low))).containsExactly(low);
    assertThat(log.admin().status().pending()).as("pending").isZero();
    assertThat(drain(store)).as("again").isEmpty();
  }

  @Test
  @DisplayName("R1: a row below the floor is found although others are delivered in its window")
  void aRowBelowTheFloorAmongOthers() {
    OutboxStore store = log.store();
    deliverAndCheck(store);
    String low = writeAt(5);
    List<String> others = log.enqueue("a", 3);
    deliver(store, others);
    assertThat(log.admin().status().pending()).as("pending").isEqualTo(1);
    assertThat(drain(store, List.of(low))).contains(low);
    assertThat(log.admin().status().pending()).as("pending").isZero();
  }

  @Test
  @DisplayName("R1: a row below the floor that one relay passed over is found by the next")
  void aRowBelowTheFloorIsFoundByTheNext() {
    OutboxStore store = log.store();
    deliverAndCheck(store);
    String low = writeAt(5);
    List<String> others = log.enqueue("a", 3);
    deliver(store, others);
    store.close();
    assertThat(log.admin().status().pending()).as("pending").isEqualTo(1);
    assertThat(drain(log.store(), List.of(low))).contains(low);
  }

  @Test
  @DisplayName("R1: rows that one relay read ahead of its cursor were not passed over by the next")
  void whatWasReadAheadWasNotPassedOver() {
    OutboxStore first = log.store();
    List<String> written = new ArrayList<>(log.enqueueInTurn(3, 1));
    List<String> delivered = new ArrayList<>(written.subList(0, 1));
    deliver(first, upTo(1), delivered);
    Claim underWay = first.claim(upTo(1));
    written.addAll(log.readAhead(first, underWay));
    first.close();
    assertThat(log.cursor("position")).as("delivered of the first window").isEqualTo(1);

    OutboxStore second = log.store();
    String later = log.enqueue("later", 1).get(0);
    written.add(later);
    await(
        () -> {
          delivered.addAll(drain(second));
          boolean isChecked = delivered.containsAll(written) && log.isChecked(later);
          written.addAll(isChecked ? List.of() : log.enqueue("later", 1));
          return isChecked;
        });
    assertThat(delivered).isEqualTo(written);
  }
}
