package dev.postcommit.testkit.explorer.relay;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.testkit.explorer.oracle.History;
import dev.postcommit.testkit.explorer.scenario.Stage;
import dev.postcommit.testkit.explorer.scenario.Violation;
import dev.postcommit.testkit.explorer.scheduler.Actor;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** Takes the messages of one relay in the order in which it sends them; each is two steps. */
final class RelayBroker implements Publisher {

  /** What relays send to. The reply to one event is lost, once. */
  static final class Topic {
    private final History history;
    private final String unanswered;
    private final Set<String> lost = new HashSet<>();
    private @Nullable Violation violation;

    Topic(History history, String unanswered) {
      this.history = history;
      this.unanswered = unanswered;
    }

    /** A message arrives; returns whether the reply to it is lost. */
    private synchronized boolean arrives(String id) {
      try {
        history.arrived(id);
      } catch (Violation e) {
        violation = e;
      }
      return history.name(id).equals(unanswered) && lost.add(id);
    }

    /** What was wrong with a message, or null. */
    synchronized @Nullable Violation violation() {
      return violation;
    }
  }

  private record Sent(String id, CompletableFuture<Delivery> reply) {}

  private final Stage.Role relay;
  private final Topic topic;
  private final boolean keepsOrder;
  private final BlockingQueue<Sent> queue = new LinkedBlockingQueue<>();
  private final Queue<CompletableFuture<Delivery>> open = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private volatile boolean isGone;

  /** A broker of a relay, made by one of its threads. */
  RelayBroker(Stage.Role relay, Topic topic, boolean keepsOrder) {
    this.relay = relay;
    this.topic = topic;
    this.keepsOrder = keepsOrder;
    this.thread = new Thread(this::answer, "broker");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void answer() {
    try {
      while (true) {
        Sent next = queue.take();
        String event = topic.history.name(next.id());
        String channel = "key " + event.substring(0, 1);
        relay.step(channel, "arrives " + event);
        boolean isLost = topic.arrives(next.id());
        relay.step(channel, (isLost ? "loses the reply to " : "replies to ") + event);
        next.reply()
            .complete(isLost ? new Delivery.Retryable("no answer", null) : Delivery.DELIVERED);
      }
    } catch (InterruptedException | Actor.GoneException e) {
      isGone = true;
      open.forEach(RelayBroker::refuse);
    }
  }

  private static void refuse(CompletableFuture<Delivery> reply) {
    reply.complete(new Delivery.Unavailable("the relay is gone", null));
  }

  @Override
  public CompletionStage<Delivery> send(Message message) {
    CompletableFuture<Delivery> reply = new CompletableFuture<>();
    open.add(reply);
    queue.add(new Sent(Objects.requireNonNull(message.headers().get("event_id")), reply));
    if (isGone) {
      refuse(reply);
    }
    return reply;
  }

  @Override
  public Optional<String> problem() {
    return Optional.empty();
  }

  @Override
  public Duration deliveryTimeout() {
    return Duration.ofSeconds(5);
  }

  @Override
  public boolean keepsOrder() {
    return keepsOrder;
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
