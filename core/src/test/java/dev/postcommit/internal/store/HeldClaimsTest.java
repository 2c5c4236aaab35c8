package dev.postcommit.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HeldClaimsTest {
  private static final Duration LEASE = Duration.ofSeconds(30);

  private final AtomicLong clock = new AtomicLong();
  private final HeldClaims held = new HeldClaims(clock::get);

  /** What was kept each time that all else was given back. */
  private final List<Map<Long, List<String>>> kept = new ArrayList<>();

  @BeforeEach
  void claim() {
    claim(1, "a", "b");
  }

  private void claim(long claim, String... events) {
    held.claim(
        kept::add,
        () -> {
          held.add(claim, List.of(events), LEASE);
          return claim;
        });
  }

  private void failToClaim() {
    assertThatThrownBy(
            () ->
                held.claim(
                    kept::add,
                    () -> {
                      throw new IllegalStateException("the database is gone");
                    }))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void nothingIsGivenBackWhileNothingFails() {
    held.seen(1);
    held.settled(1, 2);
    claim(2, "c");
    held.seen(1);
    claim(3, "d");

    assertThat(kept).isEmpty();
  }

  @Test
  void afterAFailedClaimAllIsGivenBackOnceButWhatIsHeld() {
    failToClaim();
    claim(2, "c");
    claim(3, "d");

    assertThat(kept).containsExactly(Map.of(1L, List.of("a", "b")));
  }

  @Test
  void soItIsAfterARestartOfTheDatabase() {
    held.seen(1);
    held.seen(2);
    claim(2, "c");

    assertThat(kept).containsExactly(Map.of(1L, List.of("a", "b")));
  }

  @Test
  void aClaimIsHeldUntilItsLastEventIsSettled() {
    claim(2, "c");
    held.settled(1, 1);
    held.settled(2, 1);
    failToClaim();
    claim(3, "d");
    held.settled(1, 1);
    failToClaim();
    claim(4, "e");

    assertThat(kept).containsExactly(Map.of(1L, List.of("a", "b")), Map.of(3L, List.of("d")));
  }

  @Test
  void aClaimThatIsForgottenIsGivenBack() {
    held.forget(1);
    claim(2, "c");

    assertThat(kept).containsExactly(Map.of());
  }

  @Test
  void aClaimWhoseLeaseEndedIsNotHeld() {
    claim(2, "c");
    clock.addAndGet(LEASE.toNanos() - 1);
    held.renewed(2, LEASE);
    clock.addAndGet(1);
    failToClaim();
    claim(3, "d");

    assertThat(kept).containsExactly(Map.of(2L, List.of("c")));
  }

  @Test
  void whatCouldNotBeGivenBackIsTriedAgain() {
    failToClaim();
    assertThatThrownBy(
            () ->
                held.claim(
                    keep -> {
                      throw new IllegalStateException("still gone");
                    },
                    () -> "never"))
        .hasMessage("still gone");
    claim(2, "c");

    assertThat(kept).containsExactly(Map.of(1L, List.of("a", "b")));
  }
}
