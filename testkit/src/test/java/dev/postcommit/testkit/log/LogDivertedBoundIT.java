package dev.postcommit.testkit.log;

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
  @DisplayName("R40: while more keys wait than can be told, nothing of the log overtakes them")
  void nothingOvertakesMoreKeysThanCanBeTold() {
    execute(
        """
        INSERT INTO postcommit_log_diverted (id, topic, type, key, payload, attempts, due_at)
        SELECT gen_random_uuid(), 't', 't', 'key-' || n, '1', 1, now() + interval '1 hour'
        FROM generate_series(1, 10500) n""");
    List<String> ids = List.of(enqueue("key-10500", 1).get(0), enqueue("free", 1).get(0));
    OutboxStore store = store();

    assertThat(store.claim(upTo(10)).isEmpty()).isTrue();
    assertThat(admin().status().pending()).isEqualTo(10_502);

    execute(
        "DELETE FROM postcommit_log_diverted WHERE key = ANY (ARRAY["
            + "'key-1', 'key-2', 'key-3'])");
    assertThat(store.claim(upTo(10)).isEmpty()).isTrue();
    execute("DELETE FROM postcommit_log_diverted WHERE key LIKE 'key-2%'");
    assertThat(ids(store.claim(upTo(10)))).containsExactly(ids.get(1));
    assertThat(state(ids.get(0))).isEqualTo("pending");
    assertThat(count("id = '" + ids.get(0) + "'")).isEqualTo(1);
  }
}
