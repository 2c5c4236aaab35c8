package dev.postcommit.server.cli;

import dev.postcommit.relay.Publisher;
import dev.postcommit.server.relay.Broker;
import dev.postcommit.server.relay.RelayJson;
import dev.postcommit.server.table.JsonObject;
import dev.postcommit.server.table.Texts;
import dev.postcommit.support.Daemons;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Checks whether a broker can be used, once or periodically. */
final class BrokerCheck implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  private final Broker broker;
  private final Publisher publisher;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(Daemons.named("postcommit-broker"));
  private volatile @Nullable String problem = "no answer yet";

  /**
   * A check that has not run yet.
   *
   * @param topics topics that must exist
   */
  BrokerCheck(Broker broker, List<String> topics) {
    this.broker = broker;
    this.publisher = broker.publisher(topics);
  }

  /** Checks now; takes a few seconds at most. */
  void check() {
    try {
      problem = publisher.problem().map(Texts::printable).orElse(null);
    } catch (RuntimeException e) {
      problem = Texts.printable(String.valueOf(e));
    }
  }

  /** Checks periodically in the background from now on. */
  void start() {
    var unused =
        thread.scheduleWithFixedDelay(this::check, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** The broker's name and {@link #state}. */
  String line() {
    return broker.name() + ": " + state();
  }

  /** The result of the last check: {@code ok}, or what is wrong. */
  String state() {
    @Nullable String found = problem;
    return found == null ? "ok" : found;
  }

  /** Broker and result in JSON. */
  JsonObject json() {
    return RelayJson.broker(broker, problem);
  }

  @Override
  public void close() {
    thread.shutdownNow();
    publisher.close();
  }
}
