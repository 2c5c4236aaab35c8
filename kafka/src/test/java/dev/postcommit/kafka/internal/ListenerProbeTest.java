package dev.postcommit.kafka.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ListenerProbeTest {

  @Test
  void aLoginIsAdvisedOnlyIfThereNeverWasAnAnswer() throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread thread = new Thread(() -> hangUp(listener));
      thread.setDaemon(true);
      thread.start();
      String address = "127.0.0.1:" + listener.getLocalPort();
      ListenerProbe probe = new ListenerProbe(Map.of("bootstrap.servers", address));

      assertThat(probe.reason(false).orElseThrow())
          .startsWith(address + " can be reached and does not answer; if it asks for a login, set");
      probe.answered();
      assertThat(probe.reason(true))
          .contains(
              address
                  + " can be reached and does not answer;"
                  + " are its advertised.listeners reachable from here?");
    }
  }

  /** Hangs up on everybody who calls, as a broker does that expects another protocol. */
  private static void hangUp(ServerSocket listener) {
    while (!listener.isClosed()) {
      try (Socket caller = listener.accept()) {
        assertThat(caller.getInputStream().read()).isNotNegative();
      } catch (IOException e) {
        assertThat(listener.isClosed()).isTrue();
      }
    }
  }
}
