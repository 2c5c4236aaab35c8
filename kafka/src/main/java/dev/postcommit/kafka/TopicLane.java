package dev.postcommit.kafka;

import dev.postcommit.kafka.TopicLookup.Answer;
import dev.postcommit.relay.Delivery;
import dev.postcommit.support.DurationText;
import dev.postcommit.support.Wrappers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The way to one topic.
 *
 * <p>A producer blocks whoever sends to a topic it does not know yet. So messages to such a topic
 * wait here, in order, until threads of the publisher's own have found out about it; then they are
 * given to the producer, and those after them go straight there. Every message that waits when the
 * answer is no gets that answer, and so do those that come within a second.
 *
 * <p>The producer is not told of a topic that is missing or may not be written to: it would warn of
 * the topic whenever it asks for anything, and a message that it cannot send would take it, and so
 * all other topics, with it.
 */
final class TopicLane {
  /** How long messages to a topic that was refused are refused without asking again. */
  private static final Duration MEMORY = Duration.ofSeconds(1);

  /** How often the brokers are made to create a topic, where they may. */
  private static final Duration CREATION = Duration.ofMinutes(1);

  private final String topic;
  private final ProducerSession session;
  private final TopicLookup lookup;
  private final Workers workers;
  private final Duration patience;

  private volatile boolean known;
  private @Nullable Inquiry inquiry;
  private @Nullable Delivery remembered;
  private long rememberedAt;
  private @Nullable Long createdAt;

  TopicLane(
      String topic,
      ProducerSession session,
      TopicLookup lookup,
      Workers workers,
      Duration patience) {
    this.topic = topic;
    this.session = session;
    this.lookup = lookup;
    this.workers = workers;
    this.patience = patience;
  }

  void send(Sending sending) {
    if (known || !queued(sending)) {
      session.give(sending);
    }
  }

  /** Asks for the topic again before the next message. */
  void forget() {
    known = false;
  }

  /** Ends every message that waits. */
  void abandon(Delivery answer) {
    @Nullable Inquiry current;
    synchronized (this) {
      current = inquiry;
    }
    if (current != null) {
      refuse(current, answer, List.of());
    }
  }

  /** Queues the message or ends it, unless the topic is known by now. */
  private boolean queued(Sending sending) {
    @Nullable Delivery answer = null;
    @Nullable Inquiry begun = null;
    synchronized (this) {
      if (known) {
        return false;
      }
      if (session.isFenced()) {
        answer = session.heldBack();
      } else if (inquiry != null && inquiry.answer != null) {
        answer = inquiry.answer;
      } else if (remembered != null && System.nanoTime() - rememberedAt < MEMORY.toNanos()) {
        answer = remembered;
      } else {
        if (inquiry == null) {
          begun = new Inquiry();
          inquiry = begun;
        }
        inquiry.waiting.add(sending);
      }
    }
    if (answer != null) {
      sending.end(answer);
    } else if (begun != null) {
      begin(begun);
    }
    return true;
  }

  private void begin(Inquiry current) {
    workers.later(() -> giveUp(current), patience);
    lookup
        .ask(topic)
        .whenComplete(
            (answer, error) -> {
              if (error != null) {
                Throwable cause = Wrappers.unwrap(error);
                refuse(current, DeliveryClassifier.unlearnt(topic, cause), List.of());
                return;
              }
              current.answered = answer;
              switch (answer) {
                case WRITABLE -> workers.learn(() -> learn(current));
                case FORBIDDEN ->
                    refuse(current, DeliveryClassifier.forbidden(topic, null), List.of());
                case MISSING -> refuse(current, DeliveryClassifier.missing(topic), List.of());
                case CREATABLE -> create(current);
              }
            });
  }

  /** Asking for a topic makes brokers that are set up so create it, if they can. */
  private void create(Inquiry current) {
    boolean due;
    synchronized (this) {
      due = createdAt == null || System.nanoTime() - createdAt > CREATION.toNanos();
    }
    if (due) {
      workers.create(() -> learn(current));
    } else {
      refuse(current, DeliveryClassifier.missing(topic), List.of());
    }
  }

  private void giveUp(Inquiry current) {
    if (!current.learnt) {
      refuse(current, unlearnt(current, null), List.of());
    }
  }

  /** Why the producer does not know the topic. */
  private Delivery unlearnt(Inquiry current, @Nullable RuntimeException error) {
    if (current.answered == Answer.CREATABLE) {
      return DeliveryClassifier.missing(topic);
    }
    if (error != null && !(error instanceof TimeoutException)) {
      return DeliveryClassifier.unlearnt(topic, error);
    }
    return current.answered == null
        ? new Delivery.Unavailable(
            "Kafka did not tell of topic %s within %s"
                .formatted(topic, DurationText.spoken(patience)),
            null)
        : DeliveryClassifier.late(topic);
  }

  private void learn(Inquiry current) {
    synchronized (this) {
      if (inquiry != current || current.answer != null) {
        return;
      }
      if (current.answered == Answer.CREATABLE) {
        // Not before: whoever gave up while others were being created has not asked.
        createdAt = System.nanoTime();
      }
    }
    try {
      session.learn(topic);
    } catch (RuntimeException e) {
      refuse(current, unlearnt(current, e), List.of());
      return;
    }
    current.learnt = true;
    flush(current);
  }

  private void flush(Inquiry current) {
    for (List<Sending> run = take(current); !run.isEmpty(); run = take(current)) {
      for (int i = 0; i < run.size(); i++) {
        session.give(run.get(i));
        if (run.get(i).isStopped()) {
          refuse(current, session.heldBack(), run.subList(i + 1, run.size()));
          return;
        }
      }
    }
  }

  /** What waits; if nothing does, the topic is known from now on. */
  private synchronized List<Sending> take(Inquiry current) {
    if (inquiry != current || current.answer != null) {
      return List.of();
    }
    if (current.waiting.isEmpty()) {
      known = true;
      inquiry = null;
      return List.of();
    }
    List<Sending> run = new ArrayList<>(current.waiting);
    current.waiting.clear();
    return run;
  }

  /**
   * Ends what waits: the first of each key with the answer, which holds back the others. Until all
   * of it has ended, messages that come get the same answer: none may overtake those of its key.
   */
  private void refuse(Inquiry current, Delivery answer, List<Sending> first) {
    List<Sending> refused = new ArrayList<>(first);
    boolean decided = false;
    synchronized (this) {
      if (inquiry == current && current.answer == null) {
        decided = true;
        current.answer = answer;
        refused.addAll(current.waiting);
        current.waiting.clear();
      }
    }
    Set<String> stopped = new HashSet<>();
    refused.forEach(sending -> sending.end(isFirst(sending, stopped) ? answer : held(answer)));
    synchronized (this) {
      if (decided) {
        inquiry = null;
        remembered = answer instanceof Delivery.Unavailable ? null : answer;
        rememberedAt = System.nanoTime();
      }
    }
  }

  private static boolean isFirst(Sending sending, Set<String> stopped) {
    @Nullable String key = sending.key();
    return key == null || stopped.add(key);
  }

  /** The outcome of messages behind one of their key that ended in {@code answer}. */
  private static Delivery held(Delivery answer) {
    return answer instanceof Delivery.Rejected || answer instanceof Delivery.Unavailable
        ? answer
        : Delivery.HELD_BACK;
  }

  /** One question after the topic, and the messages that wait for its answer. */
  private static final class Inquiry {
    private final Deque<Sending> waiting = new ArrayDeque<>();
    private volatile @Nullable Answer answered;
    private volatile boolean learnt;
    private @Nullable Delivery answer;
  }
}
