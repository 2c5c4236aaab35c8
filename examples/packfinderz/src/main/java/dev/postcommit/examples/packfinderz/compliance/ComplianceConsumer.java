package dev.postcommit.examples.packfinderz.compliance;

import dev.postcommit.RetryPolicy;
import dev.postcommit.consumer.ConsumerListener;
import dev.postcommit.consumer.EventConsumer;
import dev.postcommit.consumer.envelope.EnvelopeReader;
import dev.postcommit.consumer.inbox.IdempotencyStore;
import dev.postcommit.consumer.inbox.Inbox;
import dev.postcommit.consumer.inbox.RedisIdempotencyStore;
import dev.postcommit.consumer.message.ReceivedEvent;
import dev.postcommit.examples.packfinderz.events.Events;
import dev.postcommit.examples.packfinderz.events.LicenseStatusChanged;
import dev.postcommit.pubsub.PubSubConnection;
import dev.postcommit.pubsub.consumer.PubSubEventConsumer;
import io.lettuce.core.RedisClient;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Notifies admins of licenses to be reviewed, and stores of decisions.
 *
 * <p>An event is handled between an in-progress mark in Redis and a lasting one, {@code
 * pf:evt:processed:license-notifications:<event_id>}. If the notification cannot be written, the
 * mark is deleted and the event is tried again until it can.
 */
public final class ComplianceConsumer implements AutoCloseable {

  /** The name under which handled events are remembered. */
  public static final String NAME = "license-notifications";

  /** What the keys of PackFinderz' marks begin with. */
  public static final String MARKS = "pf:evt:processed";

  /**
   * A table that is away comes back; what is wrong with an event itself is a dead letter at once.
   */
  private static final RetryPolicy UNTIL_IT_WORKS =
      new RetryPolicy(RetryPolicy.UNLIMITED, Duration.ofMillis(250), Duration.ofSeconds(10));

  private final IdempotencyStore marks;
  private final PubSubEventConsumer consumer;

  /**
   * A consumer, not started.
   *
   * @param settings which subscription, and how long marks are kept
   * @param pubsub where the subscription is
   * @param redis where marks are kept; stays the caller's to shut down
   * @param database where notifications are written
   * @param listener is told what the consumer does
   */
  public ComplianceConsumer(
      ConsumerSettings settings,
      PubSubConnection pubsub,
      RedisClient redis,
      DataSource database,
      ConsumerListener listener) {
    marks = RedisIdempotencyStore.builder(redis).prefix(MARKS).ttl(settings.ttl()).build();
    Notifications notifications = new Notifications(database);
    EventConsumer events =
        EventConsumer.builder(NAME)
            .inbox(Inbox.marking(marks))
            .envelope(EnvelopeReader.stored())
            .retryPolicy(UNTIL_IT_WORKS)
            .listener(listener)
            .on(
                Events.type(LicenseStatusChanged.class),
                LicenseStatusChanged.class,
                event -> notify(notifications, event))
            .build();
    consumer =
        PubSubEventConsumer.builder(events, pubsub).subscription(settings.subscription()).build();
  }

  private static void notify(Notifications table, ReceivedEvent<LicenseStatusChanged> event)
      throws SQLException {
    Optional<Notification> notification = Notification.about(event.data());
    if (notification.isPresent()) {
      table.write(event.id(), notification.get());
    }
  }

  /** Starts reading; Pub/Sub, Redis and the database need not be there yet. */
  public void start() {
    consumer.start();
  }

  /** Finishes what is being handled, and stops. */
  @Override
  public void close() {
    consumer.close();
    marks.close();
  }
}
