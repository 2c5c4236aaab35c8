package dev.postcommit.examples.logistik;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The example, run as the launcher runs it. */
class LogistikIT {

  @Test
  @DisplayName("R11, R54: Logistik's orders, worker and metrics are as the example says")
  void theExampleVerifiesItself() {
    ByteArrayOutputStream said = new ByteArrayOutputStream();

    int exitCode = Main.run(new PrintStream(said, true, UTF_8));

    assertThat(said.toString(UTF_8))
        .contains(
            "1 event to a topic that does not exist: PENDING after 0 attempts: ",
            "topic order.archived does not exist",
            "1 event too large for its topic: FAILED after",
            "outbox_pending_count is 10, health is DOWN",
            "outbox_pending_count{",
            "outbox_oldest_age_seconds{",
            "outbox_process_latency_count{",
            "outbox_failure_count{",
            "verified: 30 orders committed, 30 events in Kafka");
    assertThat(exitCode).isZero();
  }
}
