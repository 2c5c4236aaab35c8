package dev.postcommit.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.internal.relay.Rhythm.Cause;
import org.junit.jupiter.api.Test;

class PromptsTest {
  private final Prompts prompts = new Prompts();

  @Test
  void aCallIsTheReasonForOneLook() {
    prompts.call();

    assertThat(prompts.look()).isEqualTo(Cause.CALL);
    assertThat(prompts.look()).isEqualTo(Cause.TIME);
  }

  @Test
  void aCallDuringALookIsTheReasonForAnother() {
    prompts.look();
    prompts.call();
    prompts.looked(false);

    assertThat(prompts.look()).isEqualTo(Cause.CALL);
  }

  @Test
  void aSettlementIsAReasonOnlyIfEventsWereLeft() {
    prompts.look();
    prompts.looked(false);
    assertThat(prompts.settled(false)).isFalse();
    assertThat(prompts.look()).isEqualTo(Cause.TIME);

    prompts.looked(true);
    assertThat(prompts.settled(false)).isTrue();
    assertThat(prompts.look()).isEqualTo(Cause.SETTLEMENT);
  }

  @Test
  void whatASettlementFreesDuringTheLookThatLeftItIsLookedForAgain() {
    prompts.look();
    assertThat(prompts.settled(false)).isFalse();

    assertThat(prompts.looked(true)).isTrue();
    assertThat(prompts.look()).isEqualTo(Cause.SETTLEMENT);
  }

  @Test
  void whatIsKnownToBeFreeIsAReasonWhateverWasLeft() {
    prompts.look();
    prompts.looked(false);

    assertThat(prompts.settled(true)).isTrue();
    assertThat(prompts.look()).isEqualTo(Cause.SETTLEMENT);
  }
}
