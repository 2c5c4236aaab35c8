package dev.postcommit.examples.minichat;

import com.zaxxer.hikari.HikariDataSource;
import dev.postcommit.RetryPolicy;
import dev.postcommit.examples.minichat.billing.Billing;
import dev.postcommit.examples.minichat.dispatcher.DispatcherConfig;
import dev.postcommit.examples.minichat.dispatcher.UsageDispatcher;
import dev.postcommit.examples.minichat.dispatcher.UsageMetrics;
import dev.postcommit.relay.Relay;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** A dispatcher as a process of its own, until SIGTERM or worse. */
final class DispatcherMain {
  static final int MAX_ATTEMPTS = 8;

  static final DispatcherConfig CONFIG =
      new DispatcherConfig(
          10,
          Duration.ofMillis(50),
          Duration.ofSeconds(2),
          new RetryPolicy(MAX_ATTEMPTS, Duration.ofMillis(50), Duration.ofMillis(400)));

  private DispatcherMain() {}

  /**
   * Runs it.
   *
   * @param args the address of the database with the outbox, that of billing's, and the user
   */
  public static void main(String[] args) throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(1);
    HikariDataSource chat = pool(args[0], args[2]);
    HikariDataSource billing = pool(args[1], args[2]);
    Relay dispatcher =
        UsageDispatcher.of(
            chat,
            new LostAnswers(new Billing(billing)),
            CONFIG,
            new UsageMetrics(new SimpleMeterRegistry()));
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  dispatcher.close();
                  billing.close();
                  chat.close();
                  ended.countDown();
                }));
    dispatcher.start();
    ended.await();
  }

  private static HikariDataSource pool(String jdbcUrl, String user) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(jdbcUrl);
    pool.setUsername(user);
    return pool;
  }
}
