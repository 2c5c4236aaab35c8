package dev.postcommit.store.leased;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.layout.Role;
import dev.postcommit.store.Claim;
import dev.postcommit.store.ClaimRequest;
import dev.postcommit.store.OutboxStore;
import dev.postcommit.store.Outcome;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.Samples;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Claims of a leased table whose payloads are compressed, and so have to be read for their size.
 */
class CompressedPayloadsIT extends LayoutFixture {
  private static final ClaimRequest REQUEST = ClaimRequest.of(100, Duration.ofMinutes(1), 3);

  CompressedPayloadsIT() {
    super(Samples.MODKIT);
  }

  @Test
  @DisplayName("R16: an event does not overtake those of its key whose size is not known yet")
  void nothingOvertakesWhatIsNotMeasured() {
    List<String> large = enqueue("a", 40);
    execute(
        "UPDATE %s SET %s = to_jsonb(repeat('x', 10000))"
            .formatted(layout().table().sql(), layout().sql(Role.PAYLOAD)));
    List<String> all = new ArrayList<>(large);
    all.addAll(enqueue("a", 1));

    OutboxStore store = OutboxStore.of(dataSource(), layout(), UUID.randomUUID());
    List<String> delivered = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    while (delivered.size() < all.size()) {
      Claim claim = store.claim(REQUEST);
      List<String> ids = claim.events().stream().map(StoredEvent::id).toList();
      assertThat(ids).isNotEmpty();
      store.settle(claim, ids.stream().map(Outcome.Delivered::new).toList());
      delivered.addAll(ids);
      sizes.add(ids.size());
    }

    assertThat(delivered).isEqualTo(all);
    assertThat(sizes).as("more are measured if they fit").containsExactly(4, 8, 16, 13);
  }
}
