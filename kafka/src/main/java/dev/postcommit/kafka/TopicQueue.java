package dev.postcommit.kafka;

import dev.postcommit.kafka.TopicLookup.Answer;
import dev.postcommit.kafka.internal.DeliveryClassifier;
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
 * The messages to a topic that the producer does not know yet.
 *
 * <p>A producer blocks callers that send to an unknown topic. So messages to such a topic wait
 * here, in order, until the publisher's own threads have asked about it. Then they are given to the
 * producer, and later messages go straight there. If the answer is no, all waiting messages get
 * that answer, and so do those of the next second.
 *
 * <p>The producer is never asked to use a topic that is missing or may not be written to. It would
 * log a warning for every metadata request, and one failed message would end it for all topics.
 */
final class TopicQueue {
  /** How long messages to a topic that was refused are refused without asking again. */
  private static final Duration MEMORY = Duration.ofSeconds(1);

  /** How often the brokers may be made to create a topic. */
  private static final Duration CREATION = Duration.ofMinutes(1);

  private final String topic;
  private final ProducerSession session;
  private final TopicLookup lookup;
  private final PublisherThreads threads;
  private final Duration patience;

  private volatile boolean known;
  private @Nullable Inquiry inquiry;
  private @Nullable Delivery remembered;
  private long rememberedAt;
  private @Nullable Long createdAt;

  TopicQueue(
      String topic,
      ProducerSession session,
      TopicLookup lookup,
      PublisherThreads threads,
      Duration patience) {
    this.topic = topic;
    this.session = session;
    this.lookup = lookup;
    this.threads = threads;
    this.patience = patience;
  }

  void send(PendingSend sending) {
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
  private boolean queued(PendingSend sending) {
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
    threads.later(() -> giveUp(current), patience);
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
                case WRITABLE -> threads.learn(() -> learn(current));
                case FORBIDDEN ->
                    refuse(current, DeliveryClassifier.forbidden(topic, null), List.of());
                case MISSING -> refuse(current, DeliveryClassifier.missing(topic), List.of());
                case CREATABLE -> create(current);
              }
            });
  }

  /** Asking for a topic creates it if the brokers are configured so. */
  private void create(Inquiry current) {
    boolean due;
    synchronized (this) {
      due = createdAt == null || System.nanoTime() - createdAt > CREATION.toNanos();
    }
    if (due) {
      threads.create(() -> learn(current));
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
    for (List<PendingSend> run = take(current); !run.isEmpty(); run = take(current)) {
      for (int i = 0; i < run.size(); i++) {
        session.give(run.get(i));
        if (run.get(i).isStopped()) {
          refuse(current, session.heldBack(), run.subList(i + 1, run.size()));
          return;
        }
      }
    }
  }

  /** The waiting messages; if there are none, the topic is known from now on. */
  private synchronized List<PendingSend> take(Inquiry current) {
    if (inquiry != current || current.answer != null) {
      return List.of();
    }
    if (current.waiting.isEmpty()) {
      known = true;
      inquiry = null;
      return List.of();
    }
    List<PendingSend> run = new ArrayList<>(current.waiting);
    current.waiting.clear();
    return run;
  }

  /**
   * Ends the waiting messages: the first of each key with the answer, and the others as held back.
   * Until all have ended, new messages get the same answer: none may overtake its key.
   */
  private void refuse(Inquiry current, Delivery answer, List<PendingSend> first) {
    List<PendingSend> refused = new ArrayList<>(first);
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

  private static boolean isFirst(PendingSend sending, Set<String> stopped) {
    @Nullable String key = sending.key();
    return key == null || stopped.add(key);
  }

  /** The outcome of messages behind one of their key that ended in {@code answer}. */
  private static Delivery held(Delivery answer) {
    return answer instanceof Delivery.Rejected || answer instanceof Delivery.Unavailable
        ? answer
        : Delivery.HELD_BACK;
  }

  /** A question about the topic, and the messages that wait for its answer. */
  private static final class Inquiry {
    private final Deque<PendingSend> waiting = new ArrayDeque<>();
    private volatile @Nullable Answer answered;
    private volatile boolean learnt;
    private @Nullable Delivery answer;
  }
}
