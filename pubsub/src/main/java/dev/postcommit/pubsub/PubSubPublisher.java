package dev.postcommit.pubsub;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes messages to Google Pub/Sub. Safe for use by many threads.
 *
 * <p>A message's key is the ordering key, its body the data, its headers the attributes. An empty
 * key is none. Nothing connects before the first use.
 *
 * <h2>Order</h2>
 *
 * <p>Messages of one topic and key that are handed over together arrive in the order they were
 * given, at subscriptions that have message ordering enabled. They go in one request after the
 * other; if one of them fails, those after it are {@linkplain Delivery.HeldBack held back}. Nothing
 * of a key is remembered when its messages have ended: the next one is sent. Between messages that
 * were {@linkplain #send sent} one by one, without waiting, there is no order.
 *
 * <h2>Topics</h2>
 *
 * <p>Without a topic that is {@linkplain Builder#topics required} nothing can be delivered: if it
 * is missing, or may not be published to, messages to it end {@link Delivery.Unavailable}, and
 * wait. If it is any other topic, its messages end {@link Delivery.TopicUnavailable}, and those of
 * other topics go on.
 */
public final class PubSubPublisher implements Publisher {
  private static final Logger log = LoggerFactory.getLogger(PubSubPublisher.class);

  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(10);

  private static final Delivery CLOSED = new Delivery.Unavailable("the publisher is closed", null);

  private final PublishSettings settings;
  private final PublishClient client;
  private final TopicCheck topics;
  private final RequestLimiter limiter;
  private final Set<PublishHandover> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private PubSubPublisher(PublishSettings settings) {
    this.settings = settings;
    this.client = new PublishClient(settings.connection());
    this.topics = new TopicCheck(settings, client);
    this.limiter = new RequestLimiter(client);
  }

  /** Starts a publisher's settings. */
  public static Builder builder(PubSubConnection connection) {
    return new Builder(connection);
  }

  @Override
  public CompletionStage<Delivery> send(Message message) {
    try (Handover handover = handover()) {
      return handover.send(message);
    }
  }

  /** Collects messages until the handover or the publisher is closed. */
  @Override
  public Handover handover() {
    PublishHandover handover = new PublishHandover(settings, client, topics, limiter);
    open.add(handover);
    var unused = handover.ended().thenRun(() -> open.remove(handover));
    // After it was added: either it is seen by whoever closes the publisher, or that is seen here.
    if (closed) {
      handover.abandon(CLOSED);
    }
    return handover;
  }

  @Override
  public Optional<String> problem() {
    return closed ? Optional.of("the publisher is closed") : topics.problem();
  }

  @Override
  public Duration deliveryTimeout() {
    return settings.longestDelivery();
  }

  @Override
  public OptionalInt maxMessageBytes() {
    return OptionalInt.of(Math.toIntExact(PublishRequests.LARGEST));
  }

  @Override
  public boolean keepsOrder() {
    return true;
  }

  /** Waits a few seconds at most for messages in flight, then ends the rest as unavailable. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    for (PublishHandover handover : open) {
      if (!handover.isClosed()) {
        handover.abandon(CLOSED);
      }
    }
    awaitHandovers();
    open.forEach(handover -> handover.abandon(CLOSED));
    client.close();
  }

  private void awaitHandovers() {
    Duration patience = settings.longestDelivery();
    long limit = Math.min(patience.toMillis(), LONGEST_CLOSE.toMillis());
    CompletableFuture<?>[] handovers =
        open.stream().map(PublishHandover::ended).toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(handovers).get(limit, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (TimeoutException | ExecutionException e) {
      log.warn(
          "{} handovers have not ended within {} ms; their messages may arrive and be sent again",
          open.size(),
          limit);
    }
  }

  /** Collects a publisher's settings. */
  public static final class Builder {
    private final PubSubConnection connection;
    private final List<String> topics = new ArrayList<>();
    private Duration deliveryTimeout = Duration.ofSeconds(20);
    private Duration requestTimeout = Duration.ofSeconds(8);

    private Builder(PubSubConnection connection) {
      this.connection = connection;
    }

    /**
     * Adds topics without which nothing can be delivered, by their names in the connection's
     * project or their full names. Default: none, so that a topic that is missing concerns its own
     * messages only.
     */
    public Builder topics(String... names) {
      for (String name : names) {
        topics.add(connection.topic(name));
      }
      return this;
    }

    /**
     * Sets how long the publisher tries to deliver a message; with a last question to the server,
     * {@link PubSubPublisher#deliveryTimeout} is 3 s more. Default: 20 s.
     */
    public Builder deliveryTimeout(Duration value) {
      deliveryTimeout = value;
      return this;
    }

    /**
     * Sets how long the publisher waits for the answer to one request; at most the delivery
     * timeout. Default: 8 s.
     */
    public Builder requestTimeout(Duration value) {
      requestTimeout = value;
      return this;
    }

    /**
     * The publisher, not connected.
     *
     * @throws IllegalArgumentException if a setting is invalid, with its name and value
     */
    public PubSubPublisher build() {
      return new PubSubPublisher(
          new PublishSettings(connection, topics, deliveryTimeout, requestTimeout));
    }
  }
}
