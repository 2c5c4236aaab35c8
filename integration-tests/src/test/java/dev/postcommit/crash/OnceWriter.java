package dev.postcommit.crash;

import dev.postcommit.Event;
import dev.postcommit.layout.Layout;
import dev.postcommit.testkit.ledger.Ledger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * Writes transactions of one to four events of keys of its own, some slow and one in ten rolled
 * back, through crashes of the database.
 */
final class OnceWriter implements Runnable {
  private static final int KEYS = 20;

  private final RecordedOutbox outbox;
  private final String topic;
  private final String name;
  private final int events;
  private final Random random;
  private final Duration pace;

  OnceWriter(
      String topic,
      String name,
      int events,
      Duration pace,
      DataSource dataSource,
      Ledger ledger,
      Random random) {
    this.topic = topic;
    this.name = name;
    this.events = events;
    this.pace = pace;
    this.outbox = new RecordedOutbox(Layout.log(), dataSource, ledger);
    this.random = random;
  }

  @Override
  public void run() {
    for (int written = 0; written < events; ) {
      List<Event> batch = new ArrayList<>();
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        String key = name + "-" + random.nextInt(KEYS);
        String pad = "x".repeat(random.nextInt(300));
        batch.add(Event.builder(topic).key(key).json("{\"pad\":\"" + pad + "\"}").build());
      }
      written += batch.size();
      outbox.write(batch, random.nextInt(10) == 0, this::dawdle);
      LockSupport.parkNanos(pace.toNanos());
    }
  }

  private void dawdle() {
    if (random.nextInt(20) == 0) {
      LockSupport.parkNanos(Duration.ofMillis(random.nextInt(60)).toNanos());
    }
  }
}
