package dev.postcommit.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.store.OutboxStore;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.Samples;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LogDivertedBoundIT extends LayoutFixture {
  LogDivertedBoundIT() {
    super(Samples.LOG);
  }

  @Test
  @DisplayName("R40: however many keys wait, none is overtaken and no other has to wait")
  void howeverManyKeysWaitNoneIsOvertakenAndNoOtherWaits() {
    execute(
        """
        INSERT INTO postcommit_log_diverted (
          id, topic, type, key, payload, attempts, due_at, last_error)
        SELECT gen_random_uuid(), 't', 't', 'key-' || n, '1', 0, now() + interval '1 hour', 'no topic'
        FROM generate_series(1, 10500) n""");
    List<String> ids = List.of(enqueue("key-10500", 1).get(0), enqueue("free", 1).get(0));
    OutboxStore store = store();

    assertThat(ids(store.claim(upTo(10)))).containsExactly(ids.get(1));
    assertThat(store.claim(upTo(10)).isEmpty()).isTrue();
    assertThat(admin().status().pending()).isEqualTo(10_502);

    execute(
        "DELETE FROM postcommit_log_diverted WHERE key = 'key-10500' AND last_error IS NOT NULL");
    assertThat(ids(claimSoon(store))).containsExactly(ids.get(0));
    String last = enqueue("key-10499", 1).get(0);
    assertThat(store.claim(upTo(10)).isEmpty()).isTrue();
    assertThat(state(last)).isEqualTo("pending");
  }
}
