package dev.postcommit.server;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.postcommit.internal.Daemons;
import dev.postcommit.relay.Publisher;
import dev.postcommit.server.settings.Setting;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Looks whether a broker can be used, once or again and again. */
final class BrokerLook implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  private final Broker broker;
  private final Publisher publisher;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(Daemons.named("postcommit-broker"));
  private volatile @Nullable String problem = "no answer yet";

  /**
   * Has not looked yet.
   *
   * @param topics those that are to be there
   */
  BrokerLook(Broker broker, List<String> topics) {
    this.broker = broker;
    this.publisher = broker.publisher(topics);
  }

  /** Looks now, which takes a few seconds at most. */
  void look() {
    try {
      problem = publisher.problem().map(Texts::printable).orElse(null);
    } catch (RuntimeException e) {
      problem = Texts.printable(String.valueOf(e));
    }
  }

  /** Looks again and again from now on, without anybody having to wait. */
  void keepLooking() {
    var unused =
        thread.scheduleWithFixedDelay(this::look, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Names the broker, and says what was found last: {@code ok}, or what is wrong. */
  String line() {
    return broker.name() + ": " + state();
  }

  /** What was found last: {@code ok}, or what is wrong. */
  String state() {
    @Nullable String found = problem;
    return found == null ? "ok" : found;
  }

  /** The same for scripts. */
  void write(JsonGenerator json) throws IOException {
    write(json, broker, problem);
  }

  /** A broker for scripts, with what is wrong with it, or null. */
  static void write(JsonGenerator json, Broker broker, @Nullable String problem)
      throws IOException {
    json.writeObjectFieldStart("broker");
    json.writeStringField("kind", Setting.word(broker.kind()));
    json.writeStringField("name", broker.name());
    json.writeStringField("problem", problem);
    json.writeEndObject();
  }

  @Override
  public void close() {
    thread.shutdownNow();
    publisher.close();
  }
}
