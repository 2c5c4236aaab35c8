package dev.postcommit.pubsub;

import com.google.api.gax.rpc.StatusCode.Code;
import com.google.pubsub.v1.PublishRequest;
import dev.postcommit.relay.Delivery;
import dev.postcommit.support.DurationText;
import dev.postcommit.support.Wrappers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Sends the messages of one topic and key, or of one topic and no key, one request after the other.
 *
 * <p>A request that fails is split in two as long as that may help, so that a message fails only if
 * it was sent alone, or if there is no more time. With a key, the first message that fails ends the
 * chain: those after it are held back. Without, the others go on.
 *
 * <h2>Order</h2>
 *
 * <p>A request that was given up may still arrive, at any later time. Yet first arrivals are in
 * order. Every request holds consecutive messages of the key, and is sent when all before its first
 * have been acknowledged or refused. So whenever it arrives, and even if the server mixes it with
 * others, each of its messages comes after its predecessor: in the request itself, or long before.
 * A late request repeats messages that have arrived, or comes before its own repetition.
 *
 * <p>That also holds from one handover to the next, if the next begins with the first message that
 * was not delivered, as a relay's does. It ends when a message is given up: if an event whose
 * request got no answer becomes dead, and its followers are delivered, it may still arrive after
 * them.
 */
final class PublishChain {
  /** With less time left, nothing is sent any more. */
  private static final Duration SHORTEST_REQUEST = Duration.ofMillis(20);

  private final String topic;
  private final boolean ordered;
  private final Deque<List<PendingMessage>> waiting;
  private final long deadline;
  private final PublishSettings settings;
  private final PublishClient client;
  private final TopicCheck topics;
  private final RequestLimiter limiter;
  private volatile boolean stopped;

  /**
   * A chain that sends nothing yet.
   *
   * @param ordered whether a message must not arrive before the one in front of it
   * @param requests what goes into one request each
   * @param deadline the {@link System#nanoTime} after which nothing is sent
   */
  PublishChain(
      String topic,
      boolean ordered,
      List<List<PendingMessage>> requests,
      long deadline,
      PublishSettings settings,
      PublishClient client,
      TopicCheck topics,
      RequestLimiter limiter) {
    this.topic = topic;
    this.ordered = ordered;
    this.waiting = new ArrayDeque<>(requests);
    this.deadline = deadline;
    this.settings = settings;
    this.client = client;
    this.topics = topics;
    this.limiter = limiter;
  }

  /** Sends the next request when the limiter allows; the others follow by themselves. */
  void advance() {
    if (stopped || waiting.isEmpty()) {
      return;
    }
    if (hasTime()) {
      limiter.acquire(this);
    } else {
      late();
    }
  }

  /** Sends the next request. */
  void send() {
    List<PendingMessage> messages = waiting.remove();
    var unused =
        client
            .publish(request(messages), requestTimeout())
            .whenComplete(
                (answer, error) -> {
                  limiter.release();
                  if (error == null) {
                    advance();
                    end(messages, Delivery.DELIVERED);
                  } else {
                    failed(messages, Wrappers.unwrap(error));
                  }
                });
  }

  /** Its time was over before it could send. */
  void late() {
    String reason = "not sent, as Pub/Sub took longer than %s over what was before it";
    endWaiting(
        new Delivery.Unavailable(
            reason.formatted(DurationText.spoken(settings.deliveryTimeout())), null));
  }

  /** Pub/Sub cannot be used. */
  void unavailable(String reason, Throwable error) {
    endWaiting(new Delivery.Unavailable(reason, error));
  }

  /** Sends nothing more. The caller ends its messages. */
  void stop() {
    stopped = true;
  }

  private PublishRequest request(List<PendingMessage> messages) {
    PublishRequest.Builder request = PublishRequest.newBuilder().setTopic(topic);
    messages.forEach(each -> request.addMessages(each.message()));
    return request.build();
  }

  private void failed(List<PendingMessage> messages, Throwable error) {
    switch (StatusClassifier.verdict(error)) {
      case REFUSED -> refused(messages, error);
      case TOPIC -> {
        String reason = StatusClassifier.reason(error, topic);
        if (settings.requires(topic)) {
          if (StatusClassifier.code(error) == Code.PERMISSION_DENIED) {
            topics.forbidden(topic);
          }
          unavailable(messages, reason, error);
        } else {
          fail(messages, new Delivery.TopicUnavailable(reason, error));
        }
      }
      case UNAVAILABLE -> unavailable(messages, StatusClassifier.reason(error, topic), error);
      case UNCLEAR -> {
        var unused = topics.reach(topic).thenAccept(problem -> unclear(messages, error, problem));
      }
    }
  }

  private void unclear(List<PendingMessage> messages, Throwable error, Optional<String> problem) {
    if (problem.isPresent()) {
      limiter.refuse(problem.get(), error);
      unavailable(messages, problem.get(), error);
    } else if (messages.size() > 1 && hasTime()) {
      halve(messages);
    } else {
      fail(messages, StatusClassifier.unclear(error, topic));
    }
  }

  private void refused(List<PendingMessage> messages, Throwable error) {
    if (messages.size() > 1) {
      halve(messages);
    } else {
      advance();
      end(messages, new Delivery.Rejected(StatusClassifier.reason(error, topic), error));
    }
  }

  /** Sends the first half next, and then the second. */
  private void halve(List<PendingMessage> messages) {
    int half = messages.size() / 2;
    waiting.push(messages.subList(half, messages.size()));
    waiting.push(messages.subList(0, half));
    advance();
  }

  /** The server answers and does not take messages, at least not the first. */
  private void fail(List<PendingMessage> messages, Delivery failure) {
    if (ordered) {
      messages.get(0).end(failure);
      end(messages, Delivery.HELD_BACK);
      endWaiting(Delivery.HELD_BACK);
    } else {
      advance();
      end(messages, failure);
    }
  }

  private void unavailable(List<PendingMessage> messages, String reason, Throwable error) {
    end(messages, new Delivery.Unavailable(reason, error));
    unavailable(reason, error);
  }

  private static void end(List<PendingMessage> messages, Delivery delivery) {
    messages.forEach(each -> each.end(delivery));
  }

  private void endWaiting(Delivery delivery) {
    waiting.forEach(messages -> end(messages, delivery));
    waiting.clear();
  }

  boolean hasTime() {
    return left().compareTo(SHORTEST_REQUEST) > 0;
  }

  /** The request timeout, or the time that is left; never zero, which would mean no limit. */
  private Duration requestTimeout() {
    Duration left = Collections.max(List.of(left(), SHORTEST_REQUEST));
    return Collections.min(List.of(left, settings.requestTimeout()));
  }

  private Duration left() {
    return Duration.ofNanos(deadline - System.nanoTime());
  }
}
