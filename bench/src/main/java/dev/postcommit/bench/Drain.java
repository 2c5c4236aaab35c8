package dev.postcommit.bench;

import dev.postcommit.layout.Layout;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Relay;
import dev.postcommit.relay.RelayListener;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/** One relay emptying a backlog. */
final class Drain {
  private Drain() {}

  /** Drains {@code events} and returns the time from the relay's start to the last settlement. */
  static Duration run(DataSource dataSource, Layout layout, Publisher publisher, int events)
      throws InterruptedException {
    CountDownLatch left = new CountDownLatch(events);
    RelayListener counting =
        new RelayListener() {
          @Override
          public void settled(int settled, Duration took) {
            for (int i = 0; i < settled; i++) {
              left.countDown();
            }
          }
        };
    try (Relay relay =
        Relay.builder(dataSource, publisher)
            .layout(layout)
            .router(event -> Servers.TOPIC)
            .listener(counting)
            .build()) {
      long start = System.nanoTime();
      relay.start();
      left.await();
      return Duration.ofNanos(System.nanoTime() - start);
    }
  }
}
