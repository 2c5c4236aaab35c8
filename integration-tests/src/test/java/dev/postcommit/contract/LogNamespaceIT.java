package dev.postcommit.contract;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postcommit.testkit.contract.NamespaceContract;
import dev.postcommit.testkit.contract.Samples;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LogNamespaceIT extends NamespaceContract {
  LogNamespaceIT() {
    super(Samples.LOG);
  }

  @Test
  @DisplayName("R20: a claim on a log is not scoped, it is refused")
  void aScopedClaimIsRefused() {
    enqueue("a", 1);

    assertThatThrownBy(() -> store().claim(upTo(9).scopedTo("other", null)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("namespace");
    assertThatThrownBy(() -> store().claim(upTo(9).scopedTo(null, UUID.randomUUID())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tenant");
  }
}
