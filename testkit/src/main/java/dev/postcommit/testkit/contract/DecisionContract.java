package dev.postcommit.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.PostcommitException;
import dev.postcommit.layout.Role;
import dev.postcommit.layout.TableName;
import dev.postcommit.store.Claim;
import dev.postcommit.store.DeadFilter;
import dev.postcommit.store.Decision;
import dev.postcommit.store.OutboxAdmin.Action;
import dev.postcommit.store.OutboxAdmin.AuditEntry;
import dev.postcommit.store.OutboxAdmin.DeadEvent;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What operators do to dead events, and the record of it. */
public abstract class DecisionContract extends AdminFixture {
  /** The contract for one layout. */
  protected DecisionContract(LayoutSample sample) {
    super(sample);
  }

  /** Dead is final but for an operator. */
  @Test
  @DisplayName(
      "R29, R38: nothing leaves dead but by an operator's replay, which gives new attempts")
  public void nothingLeavesDeadButByReplay() {
    String id = dead("a");
    assertThat(admin().status().pending()).isZero();

    assertThat(admin().replay(DeadFilter.ids(List.of(id)), WITHOUT_REASON)).isEqualTo(1);
    assertThat(admin().replay(DeadFilter.ids(List.of(id)), WITHOUT_REASON)).isZero();

    assertThat(admin().status().pending()).isEqualTo(1);
    assertThat(admin().status().delayed()).isZero();
    assertThat(admin().status().dead()).isZero();
    assertThat(rowsBeside(layout().failures())).isZero();
    if (layout().column(Role.ATTEMPTS).isPresent()) {
      assertThat(value(id, Role.ATTEMPTS)).isEqualTo("0");
    }
    if (!isHeld()) {
      Claim claim = store().claim(upTo(9));
      assertThat(ids(claim)).containsExactly(id);
      assertThat(claim.events().get(0).attempt()).isEqualTo(1);
    }
  }

  /** Only the lifecycle changes. */
  @Test
  @DisplayName("R8: a replay changes nothing but lifecycle columns")
  public void aReplayChangesLifecycleColumnsOnly() {
    String id = dead("a");
    Map<Role, @Nullable String> before = content(id);

    admin().replay(DeadFilter.all(), WITHOUT_REASON);

    assertThat(content(id)).isEqualTo(before);
    assertThat(rowsBeside(layout().headers())).isEqualTo(layout().headers().isPresent() ? 1 : 0);
  }

  /** Only dead events can be discarded. */
  @Test
  @DisplayName("R38: discard deletes dead events with all that is kept of them, and no others")
  public void discardDeletesDeadEventsOnly() {
    String dead = dead("a");
    String pending = pending("b");
    List<String> ids = List.of(dead, pending, UUID.randomUUID().toString());

    assertThat(admin().discard(DeadFilter.ids(ids), WITH_REASON)).isEqualTo(1);

    assertThat(rows()).isEqualTo(1);
    assertThat(admin().status().dead()).isZero();
    assertThat(admin().status().pending()).isEqualTo(1);
    assertThat(rowsBeside(layout().failures())).isZero();
    assertThat(rowsBeside(layout().headers())).isEqualTo(layout().headers().isPresent() ? 1 : 0);
  }

  /** A filter changes what it finds. */
  @Test
  @DisplayName("R38: a decision changes the dead events that its filter counts, and no others")
  public void aDecisionChangesWhatItsFilterCounts() {
    dead("a", "too large");
    dead("b", "too large");
    String other = dead("c", "no topic");
    DeadFilter filter = new DeadFilter(null, null, null, null, "large", null, null);

    long counted = admin().countDead(filter);

    assertThat(admin().replay(filter, WITHOUT_REASON)).isEqualTo(counted).isEqualTo(2);
    assertThat(admin().deadIds(DeadFilter.all(), 100)).containsExactly(other);
    assertThat(admin().status().pending()).isEqualTo(2);
  }

  /** What was done is known. */
  @Test
  @DisplayName("R38: each replay and discard leaves an audit record, with who, why and what")
  public void eachDecisionIsAudited() {
    String first = dead("a", "too large");
    DeadEvent before = admin().dead(first).orElseThrow();
    admin().replay(DeadFilter.all(), new Decision("ada", "limit raised"));
    admin().replay(DeadFilter.all(), WITHOUT_REASON);
    String second = dead("b", "no topic");
    admin().discard(DeadFilter.all(), new Decision("bob", "a test"));

    List<AuditEntry> entries = admin().audit(10);

    assertThat(entries).extracting(AuditEntry::eventId).containsExactly(second, first);
    assertThat(entries)
        .extracting(AuditEntry::action)
        .containsExactly(Action.DISCARD, Action.REPLAY);
    assertThat(entries).extracting(AuditEntry::operator).containsExactly("bob", "ada");
    assertThat(entries).extracting(AuditEntry::reason).containsExactly("a test", "limit raised");
    AuditEntry replay = entries.get(1);
    assertThat(replay.eventType()).isEqualTo(before.event().type());
    assertThat(replay.aggregateType()).isEqualTo(before.event().aggregateType());
    assertThat(replay.aggregateId()).isEqualTo(before.event().aggregateId());
    assertThat(replay.attempts()).isEqualTo(before.event().attempt()).isPositive();
    assertThat(replay.error()).isEqualTo("too large");
    assertThat(replay.at()).isAfter(before.event().createdAt()).isBefore(entries.get(0).at());
    assertThat(admin().audit(1)).extracting(AuditEntry::eventId).containsExactly(second);
  }

  /** Nobody deletes without a word. */
  @Test
  @DisplayName("R38: a decision needs an operator, and a discard a reason")
  public void aDiscardNeedsAReason() {
    dead("a");

    assertThatThrownBy(() -> admin().discard(DeadFilter.all(), WITHOUT_REASON))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("reason");
    assertThatThrownBy(() -> new Decision(" ", null)).hasMessageContaining("operator");
    assertThatThrownBy(() -> new Decision("ada", " ")).hasMessageContaining("reason");
    assertThat(admin().status().dead()).isEqualTo(1);
  }

  /** Change and record go together. */
  @Test
  @DisplayName("R38: what cannot be recorded is not done")
  public void whatCannotBeRecordedIsNotDone() {
    dead("a");
    String second = dead("b");
    beforeEachAuditEntry("IF NEW.event_id = '%s' THEN RAISE 'refused'; END IF;".formatted(second));
    try {
      assertThatThrownBy(() -> admin().replay(DeadFilter.all(), WITHOUT_REASON))
          .isInstanceOf(PostcommitException.class);
      assertThatThrownBy(() -> admin().discard(DeadFilter.all(), WITH_REASON))
          .isInstanceOf(PostcommitException.class);
    } finally {
      nothingBeforeAuditEntries();
    }

    assertThat(admin().status().dead()).isEqualTo(2);
    assertThat(admin().audit(10)).isEmpty();
    assertThat(admin().replay(DeadFilter.all(), WITHOUT_REASON)).isEqualTo(2);
  }

  /** An audit table that is not there. */
  @Test
  @DisplayName("R38: without an audit table nothing is done, and the error says how to create it")
  public void withoutAnAuditTableNothingIsDone() {
    dead("a");
    TableName audit = layout().audit();
    execute("ALTER TABLE " + audit.sql() + " RENAME TO elsewhere");
    try {
      assertThatThrownBy(() -> admin().replay(DeadFilter.all(), WITHOUT_REASON))
          .isInstanceOf(PostcommitException.class)
          .hasMessageContaining(audit.name())
          .hasMessageContaining("OutboxMigration.migrate")
          .hasMessageContaining("postcommit migrate");
      assertThatThrownBy(() -> admin().discard(DeadFilter.all(), WITH_REASON))
          .hasMessageContaining("OutboxMigration.migrate");
      assertThatThrownBy(() -> admin().audit(1)).hasMessageContaining("OutboxMigration.migrate");
    } finally {
      execute("ALTER TABLE elsewhere RENAME TO \"" + audit.name() + "\"");
    }
    assertThat(admin().status().dead()).isEqualTo(1);
  }
}
