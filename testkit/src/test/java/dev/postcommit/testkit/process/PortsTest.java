package dev.postcommit.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortsTest {

  @Test
  void aPortIsNotOfferedAgainSoon() {
    Set<Integer> offered = new HashSet<>();
    for (int port = 0; port < 500; port++) {
      assertThat(offered.add(Ports.free())).isTrue();
    }
  }
}
