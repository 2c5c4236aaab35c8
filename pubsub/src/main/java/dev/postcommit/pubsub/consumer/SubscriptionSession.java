package dev.postcommit.pubsub.consumer;

import com.google.api.core.ApiService;
import com.google.api.gax.batching.FlowControlSettings;
import com.google.api.gax.core.FixedExecutorProvider;
import com.google.cloud.pubsub.v1.AckReplyConsumer;
import com.google.cloud.pubsub.v1.Subscriber;
import com.google.cloud.pubsub.v1.SubscriberShutdownSettings;
import com.google.pubsub.v1.PubsubMessage;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.pubsub.internal.ChannelReconnects;
import dev.postcommit.pubsub.internal.PubSubNames;
import dev.postcommit.support.Daemons;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of Google's subscribers, and the messages that it has pulled. Safe for use by many threads.
 *
 * <p>The subscriber's own thread dispatches messages to the workers one after the other, in the
 * order of the stream, and never waits for a handler. The subscriber's flow control, which counts a
 * message until it is answered, bounds how much is pulled.
 *
 * <p>On {@link #close} messages are given back in the order in which they came, and only after the
 * stream has ended; otherwise Pub/Sub would deliver them to this stream again.
 */
final class SubscriptionSession {
  private static final Logger log = LoggerFactory.getLogger(SubscriptionSession.class);

  private static final long BYTES = 64L * 1024 * 1024;

  /** How long the stream may take to end. */
  private static final Duration STREAM_PATIENCE = Duration.ofSeconds(1);

  /** How long the client may take to acknowledge messages at the end; it takes up to twice that. */
  private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(3);

  /**
   * How long the deadline of a message is extended: as long as Pub/Sub keeps messages by default.
   * After that it delivers the message elsewhere too; the one here stays with its worker, and a
   * copy that comes here queues behind it.
   */
  private static final Duration LONGEST_EXTENSION = Duration.ofDays(7);

  /** One waits while enough is pulled; the others extend deadlines and send answers. */
  private static final int CLIENT_THREADS = 4;

  private final OutstandingMessages outstanding = new OutstandingMessages();
  private final StreamWatch streams = new StreamWatch();
  private final PulledMessage.Source source;
  private final SubscriptionPlan plan;
  private final MessageDispatcher workers;
  private final ScheduledExecutorService receiver;
  private final ScheduledExecutorService client;
  private final Subscriber subscriber;
  private volatile boolean received;

  /**
   * A session that is not open.
   *
   * @param threads what the names of the subscriber's threads begin with
   */
  SubscriptionSession(
      PubSubConnection connection,
      SubscriptionPlan plan,
      String topic,
      MessageDispatcher workers,
      ChannelReconnects reconnects,
      String threads) {
    this.plan = plan;
    this.workers = workers;
    this.source =
        new PulledMessage.Source(
            PubSubNames.shortName(connection.project(), topic),
            PubSubNames.shortName(connection.project(), plan.subscription()),
            outstanding);
    this.receiver = executor(threads + "-receive", 1);
    this.client = executor(threads + "-client", CLIENT_THREADS);
    this.subscriber =
        Subscriber.newBuilder(plan.subscription(), this::receive)
            .setChannelProvider(
                connection
                    .channels(reconnects::watching)
                    .setInterceptorProvider(() -> List.of(streams))
                    .build())
            .setCredentialsProvider(connection.credentialsProvider())
            .setFlowControlSettings(
                FlowControlSettings.newBuilder()
                    .setMaxOutstandingElementCount((long) plan.maxOutstanding())
                    .setMaxOutstandingRequestBytes(BYTES)
                    .build())
            .setMaxAckExtensionPeriodDuration(LONGEST_EXTENSION)
            .setMinDurationPerAckExtensionDuration(plan.ackDeadline())
            // Seconds count, and the longest has to be longer than the shortest.
            .setMaxDurationPerAckExtensionDuration(plan.ackDeadline().plusMillis(1))
            .setExecutorProvider(FixedExecutorProvider.create(receiver))
            .setSystemExecutorProvider(FixedExecutorProvider.create(client))
            .setSubscriberShutdownSettings(
                SubscriberShutdownSettings.newBuilder()
                    .setMode(SubscriberShutdownSettings.ShutdownMode.WAIT_FOR_PROCESSING)
                    .setTimeout(ANSWER_PATIENCE)
                    .build())
            .build();
  }

  private static ScheduledExecutorService executor(String name, int threads) {
    return Executors.newScheduledThreadPool(threads, Daemons.named(name));
  }

  /** Begins to pull, and goes on through outages. */
  void open() {
    subscriber.startAsync();
  }

  private void receive(PubsubMessage message, AckReplyConsumer reply) {
    received = true;
    PulledMessage pulled = new PulledMessage(source, message, reply, plan.ordered());
    if (outstanding.add(pulled)) {
      workers.dispatch(pulled);
    } else {
      pulled.giveBack();
    }
  }

  /** Why it will not pull any more, if so. */
  @Nullable Throwable failure() {
    return subscriber.state() == ApiService.State.FAILED ? subscriber.failureCause() : null;
  }

  /** Whether a stream has ended since the last call; the subscriber opens another. */
  boolean takeBroken() {
    boolean broken = streams.takeBroken();
    received = received && !broken;
    return broken;
  }

  /** Whether messages have come, since the last broken stream. */
  boolean hasReceived() {
    return received;
  }

  /** How many pulled messages are not done. */
  int undone() {
    return outstanding.count();
  }

  /** Begins nothing more, ends the stream, and gives back what is not done. */
  void close() {
    outstanding.end();
    workers.drop(outstanding);
    boolean failed = subscriber.state() == ApiService.State.FAILED;
    if (!failed) {
      subscriber.stopAsync();
    }
    try {
      if (!streams.awaitNone(STREAM_PATIENCE)) {
        log.debug("the stream of {} has not ended", plan.subscription());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    outstanding.takeAll().forEach(PulledMessage::giveBack);
    if (!failed) {
      awaitEnd();
    }
    client.shutdownNow();
    receiver.shutdownNow();
  }

  private void awaitEnd() {
    try {
      subscriber.awaitTerminated(2 * ANSWER_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | IllegalStateException e) {
      log.debug("the subscriber of {} did not end cleanly", plan.subscription(), e);
    }
  }
}
