package dev.postcommit.crash;

import dev.postcommit.Event;
import dev.postcommit.testkit.ledger.Ledger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** Writes transactions of one to four events, one in ten rolled back, through database crashes. */
final class CrashWriter {
  private static final int KEYS = 50;
  private static final Duration PACE = Duration.ofMillis(4);

  private final CrashTable table;
  private final RecordedOutbox outbox;
  private final Random random;

  CrashWriter(CrashTable table, DataSource dataSource, Ledger ledger, Random random) {
    this.table = table;
    this.outbox = new RecordedOutbox(table.layout(), dataSource, ledger);
    this.random = random;
  }

  void write(int events) {
    for (int written = 0; written < events; ) {
      List<Event> batch = new ArrayList<>();
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        String key = "key-" + random.nextInt(KEYS);
        batch.add(
            table
                .event()
                .apply(key)
                .json("{\"pad\":\"" + "x".repeat(random.nextInt(300)) + "\"}")
                .build());
      }
      written += batch.size();
      outbox.write(batch, random.nextInt(10) == 0, () -> {});
      LockSupport.parkNanos(PACE.toNanos());
    }
  }
}
