package dev.postcommit.store.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.testkit.process.ChildProcess;
import dev.postcommit.testkit.process.Processes;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a log's relay keeps in memory. */
class LogMemoryIT {
  private static final int EVENTS = 64_000;

  /** The heap of a container of 256 MB. */
  private static final String[] HEAP = {
    "-Xmx85m", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"
  };

  @Test
  @DisplayName("R48: one slow event does not make a relay keep all that it delivers meanwhile")
  void aSlowEventDoesNotFillTheMemory() {
    try (LogTable log = LogTable.create();
        Processes processes = Processes.create()) {
      log.enqueue("slow", 1);
      log.execute(
          """
          INSERT INTO postcommit_log (id, topic, type, key, payload)
          SELECT gen_random_uuid(), 't', 't', 'key-' || n, convert_to(repeat('x', 1024), 'UTF8')
          FROM generate_series(2, %d) AS n"""
              .formatted(EVENTS));
      ChildProcess relay =
          processes
              .java(SlowHeadRelay.class)
              .arguments(
                  log.database().jdbcUrl(), log.database().username(), Integer.toString(EVENTS))
              .jvmOptions(HEAP)
              .start();

      assertThat(relay.awaitExit(Duration.ofMinutes(1))).as(relay.output()).isZero();
      assertThat(log.admin().status().pending()).as(relay.output()).isZero();
    }
  }
}
