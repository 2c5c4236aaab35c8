package dev.postcommit.relay;

import dev.postcommit.RetryPolicy;
import dev.postcommit.fixture.ScriptedPublisher;
import dev.postcommit.testkit.contract.LayoutFixture;
import dev.postcommit.testkit.contract.Samples;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** A relay on the native layout and a broker that does what the test says. */
abstract class RelayFixture extends LayoutFixture {
  protected static final RetryPolicy QUICK =
      new RetryPolicy(3, Duration.ofMillis(10), Duration.ofMillis(20));

  protected ScriptedPublisher publisher = new ScriptedPublisher();

  RelayFixture() {
    super(Samples.NATIVE);
  }

  @BeforeEach
  final void newPublisher() {
    publisher = new ScriptedPublisher();
  }

  protected final Relay.Builder relay() {
    return relay(publisher);
  }

  protected final Relay.Builder relay(Publisher broker) {
    return Relay.builder(dataSource(), broker)
        .lease(Duration.ofSeconds(5))
        .pollInterval(Duration.ofMillis(20))
        .retryPolicy(QUICK);
  }

  protected static Relay started(Relay.Builder builder) {
    Relay relay = builder.build();
    relay.start();
    return relay;
  }

  protected final void awaitDelivered(List<String> ids) {
    awaitUntil(() -> publisher.accepted().containsAll(ids));
    awaitUntil(() -> admin().status().pending() == 0);
  }
}
