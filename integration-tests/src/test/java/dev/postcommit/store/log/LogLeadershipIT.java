package dev.postcommit.store.log;

import static dev.postcommit.store.log.LogTable.SHORT;
import static dev.postcommit.store.log.LogTable.await;
import static dev.postcommit.store.log.LogTable.drain;
import static dev.postcommit.store.log.LogTable.ids;
import static dev.postcommit.store.log.LogTable.upTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.internal.store.RelayStore;
import dev.postcommit.store.Claim;
import dev.postcommit.store.LeaseLostException;
import dev.postcommit.store.Outcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** One relay reads a log, the others stand by; who lost the lease changes nothing. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LogLeadershipIT {
  private LogTable log;
  private RelayStore first;
  private RelayStore second;

  @BeforeAll
  void createTable() {
    log = LogTable.create();
  }

  @BeforeEach
  void emptyTable() {
    log.execute("DROP TRIGGER IF EXISTS kept ON postcommit_log_cursor");
    log.reset();
    first = log.store();
    second = log.store();
  }

  @AfterAll
  void dropTable() {
    log.close();
  }

  /** What the cursor's row says of everything but how long the lease lasts. */
  private String cursor() {
    return log.query("SELECT concat(fence, ' ', owner) FROM postcommit_log_cursor")
        + log.position();
  }

  @Test
  @DisplayName("R40: while one relay has the lease another is given nothing")
  void theSecondStandsBy() {
    List<String> ids = log.enqueue("a", 3);
    Claim claim = first.claim(upTo(1));

    assertThat(second.claim(upTo(9)).isEmpty()).isTrue();
    first.ack(claim, ids.get(0));
    assertThat(second.claim(upTo(9)).isEmpty()).isTrue();
    assertThat(drain(first)).isEqualTo(ids.subList(1, 3));
    assertThat(second.claim(upTo(9)).isEmpty()).isTrue();
  }

  @Test
  @DisplayName("R1: when a relay vanishes another takes over at the end of its lease, not before")
  void theSecondTakesOverWithinTheLease() {
    List<String> ids = log.enqueue("a", 3);
    assertThat(first.claim(upTo(1, SHORT)).isEmpty()).isFalse();
    long fence = log.cursor("fence");
    assertThat(second.claim(upTo(9)).isEmpty()).isTrue();
    long until = log.cursor("(extract(epoch FROM until) * 1000)::bigint");

    assertThat(drain(second, ids)).isEqualTo(ids);
    assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(until);
    assertThat(log.cursor("fence")).isEqualTo(fence + 1);
  }

  @Test
  @DisplayName("R1: when a relay is closed another takes over at once")
  void theSecondTakesOverAtOnceAfterAClose() {
    List<String> ids = log.enqueue("a", 3);
    first.claim(upTo(1));
    first.close();

    assertThat(drain(second)).isEqualTo(ids);
  }

  @Test
  @DisplayName("R1: a relay that rests gives the lease up, and can take it again")
  void theSecondTakesOverAtOnceAfterARest() {
    List<String> ids = log.enqueue("a", 3);
    assertThat(drain(first)).isEqualTo(ids);
    first.releaseIdle();
    ids = log.enqueue("a", 2);
    assertThat(drain(second)).isEqualTo(ids);
    second.releaseIdle();
    ids = log.enqueue("a", 2);
    assertThat(drain(first)).isEqualTo(ids);
  }

  @Test
  @DisplayName("R1: a relay that lost the lease settles, renews and diverts nothing")
  void whoLostTheLeaseChangesNothing() {
    List<String> ids = log.enqueue("a", 4);
    Claim lost = first.claim(upTo(2, SHORT));
    await(() -> !second.claim(upTo(1)).isEmpty());
    String cursor = cursor();
    Outcome delivered = new Outcome.Delivered(ids.get(0));
    Outcome retry = new Outcome.Retry(ids.get(0), "no", Duration.ZERO);

    assertThatThrownBy(() -> first.renew(lost, LogTable.LONG))
        .isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(() -> first.settle(lost, List.of(delivered)))
        .isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(() -> first.settle(lost, List.of(retry)))
        .isInstanceOf(LeaseLostException.class);
    assertThat(first.claim(upTo(9)).isEmpty()).isTrue();
    first.releaseIdle();
    first.close();
    assertThat(cursor()).isEqualTo(cursor);
    assertThat(log.number("SELECT count(*) FROM postcommit_log_diverted")).isZero();
  }

  @Test
  @DisplayName("R1, R40: a relay whose lease is over by its own clock reads again from the cursor")
  void aLapsedLeaseIsTakenAnew() {
    List<String> ids = log.enqueue("a", 6);
    Claim old = first.claim(upTo(3, SHORT));
    first.ack(old, ids.get(0));
    long fence = log.cursor("fence");
    // Its own clock started before the database's.
    await(() -> "t".equals(log.query("SELECT until < now() FROM postcommit_log_cursor")));

    Claim again = first.claim(upTo(2));
    assertThat(ids(again)).isEqualTo(ids.subList(1, 3));
    assertThat(log.cursor("fence")).isEqualTo(fence + 1);
    String cursor = cursor();
    assertThatThrownBy(() -> first.ack(old, ids.get(1))).isInstanceOf(LeaseLostException.class);
    assertThat(cursor()).isEqualTo(cursor);
    ids(again).forEach(id -> first.ack(again, id));
    assertThat(drain(first)).isEqualTo(ids.subList(3, 6));
  }

  @Test
  @DisplayName("R1: renewing one claim keeps the lease beyond its first end")
  void aRenewedLeaseLasts() {
    List<String> ids = log.enqueue("a", 2);
    Claim claim = first.claim(upTo(1, SHORT));
    first.renew(claim, LogTable.LONG);

    await(
        () ->
            "t"
                .equals(
                    log.query(
                        "SELECT until > now() + interval '2 minutes' FROM postcommit_log_cursor")));
    assertThat(second.claim(upTo(9)).isEmpty()).isTrue();
    first.ack(claim, ids.get(0));
    assertThat(drain(first)).isEqualTo(ids.subList(1, 2));
  }

  @Test
  @DisplayName("a relay can be closed though it cannot give the lease up")
  void aStoreIsClosedWithoutTheDatabase() {
    log.enqueue("a", 1);
    first.claim(upTo(1));
    log.execute(
        """
        CREATE OR REPLACE FUNCTION kept() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'the lease is kept'; END $$""");
    log.execute(
        """
        CREATE TRIGGER kept BEFORE UPDATE ON postcommit_log_cursor FOR EACH ROW
        WHEN (NEW.owner IS NULL) EXECUTE FUNCTION kept()""");

    assertThatCode(first::close).doesNotThrowAnyException();
    log.execute("DROP TRIGGER kept ON postcommit_log_cursor");
  }
}
