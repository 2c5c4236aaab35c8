package dev.postcommit.internal.relay.topics;

import static java.util.stream.Collectors.joining;

import dev.postcommit.internal.DurationText;
import dev.postcommit.internal.LogText;
import dev.postcommit.internal.store.TopicRegistry.Contents;
import dev.postcommit.internal.store.TopicRegistry.Entry;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Delivery.HeldBack;
import dev.postcommit.relay.Delivery.TopicUnavailable;
import dev.postcommit.relay.Delivery.Unavailable;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.store.StoredEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topics that take no messages at present, because they are missing or forbidden. Safe for use
 * by many threads.
 *
 * <p>An event for such a topic is written once, to be due in an hour, and is not sent. Only one
 * event, the probe, is due again within seconds and is sent. When a probe gets through, all events
 * that wait for the topic are {@linkplain TopicReleases made due} at once. So it costs the other
 * topics nothing how many events wait.
 *
 * <p>Relays {@linkplain TopicExchange tell each other} through a table, which also survives them:
 * without it, a relay that delivers the probe of one that was killed would not know that others
 * wait. The hour is for the case that all of this fails.
 */
public final class UnavailableTopics {
  private static final Logger log = LoggerFactory.getLogger(UnavailableTopics.class);

  /** When an event that waits for a topic is due again, if nobody releases it before. */
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  /** The same while other relays cannot be told of the topic. */
  private static final Duration UNREGISTERED_WAIT = Duration.ofSeconds(10);

  private static final Duration SHORTEST_WAIT = Duration.ofSeconds(1);

  /** A probe that has not come back by so long after it was due was discarded, perhaps. */
  private static final Duration PROBE_LOST = Duration.ofSeconds(10);

  private final RelayListener listener;
  private final TopicReleases releases;
  private final TopicExchange exchange;
  private final @Nullable Duration giveUpAfter;
  private final Map<String, UnavailableTopic> topics = new ConcurrentHashMap<>();

  public UnavailableTopics(
      RelayListener listener,
      TopicReleases releases,
      TopicExchange exchange,
      @Nullable Duration giveUpAfter) {
    this.listener = listener;
    this.releases = releases;
    this.exchange = exchange;
    this.giveUpAfter = giveUpAfter;
  }

  /**
   * Why no message for a topic is sent now, or null if one is: the topic takes messages, or this
   * one is to probe it.
   */
  public @Nullable Delivery refusal(String topic) {
    if (topics.isEmpty()) {
      return null;
    }
    @Nullable UnavailableTopic known = topics.get(topic);
    return known == null || known.mayProbe() ? null : new TopicUnavailable(known.reason(), null);
  }

  /**
   * The publisher said what became of a message.
   *
   * @param sentAt when it was handed over; what was sent before a topic was found unavailable says
   *     nothing
   */
  public void answered(String topic, Delivery delivery, long sentAt) {
    if (delivery instanceof TopicUnavailable unavailable) {
      String reason = unavailable.reason();
      releases.lost(topic);
      topics.computeIfAbsent(topic, name -> lost(name, reason)).failed(reason);
      return;
    }
    if (topics.isEmpty()) {
      return;
    }
    @Nullable UnavailableTopic known = topics.get(topic);
    if (known == null || sentAt - known.lostAt() < 0) {
      return;
    }
    if (delivery instanceof Unavailable || delivery instanceof HeldBack) {
      known.unanswered();
    } else if (topics.remove(topic, known)) {
      exchange.over(topic);
      regained(topic, known);
    }
  }

  private UnavailableTopic lost(String topic, String reason) {
    log.warn(
        "topic {} takes no messages, so events for it wait: {}",
        LogText.line(topic),
        LogText.line(reason));
    listener.topicUnavailable(topic, reason);
    return new UnavailableTopic(reason, System::nanoTime);
  }

  private void regained(String topic, UnavailableTopic known) {
    log.info(
        "topic {} takes messages again after {}",
        LogText.line(topic),
        DurationText.spoken(known.lasting()));
    listener.topicRecovered(topic, known.lasting());
    releases.recovered(topic);
  }

  /** Why an event that waits for a topic is given up; empty if it waits on. */
  public Optional<String> givenUp(String topic, StoredEvent event) {
    @Nullable UnavailableTopic known = topics.get(topic);
    @Nullable Entry entry = known == null ? null : known.entry();
    @Nullable String reason = entry == null ? null : givenUp(entry, event);
    @Nullable String key = event.key();
    if (reason != null && key != null) {
      releases.freed(topic, List.of(key));
    }
    return Optional.ofNullable(reason);
  }

  private @Nullable String givenUp(Entry entry, StoredEvent event) {
    @Nullable Instant givenUpAt = entry.givenUpAt();
    if (givenUpAt != null && !event.createdAt().isAfter(givenUpAt)) {
      return "given up by " + entry.givenUp();
    }
    @Nullable Duration left = left(entry, event);
    return left != null && (left.isNegative() || left.isZero())
        ? "gave up after " + giveUpAfter
        : null;
  }

  /** How long an event may still wait by the database's clock; null if there is no limit. */
  private @Nullable Duration left(@Nullable Entry entry, StoredEvent event) {
    @Nullable Instant now = exchange.now();
    if (giveUpAfter == null || entry == null || now == null) {
      return giveUpAfter;
    }
    Instant since = event.createdAt().isAfter(entry.since()) ? event.createdAt() : entry.since();
    return giveUpAfter.minus(Duration.between(since, now));
  }

  /** When an event is due again that waits for a topic. */
  public Duration delay(String topic, StoredEvent event) {
    @Nullable UnavailableTopic known = topics.get(topic);
    if (known == null) {
      return Duration.ZERO;
    }
    Optional<Duration> probe = known.nextProbe();
    if (probe.isPresent()) {
      return probe.get();
    }
    if (!known.isRegistered()) {
      if (!exchange.register(topic, known.reason())) {
        return UNREGISTERED_WAIT;
      }
      known.registered();
    }
    @Nullable Duration left = left(known.entry(), event);
    if (left == null || left.compareTo(LONGEST_WAIT) > 0) {
      return LONGEST_WAIT;
    }
    return left.compareTo(SHORTEST_WAIT) < 0 ? SHORTEST_WAIT : left;
  }

  /**
   * Releases events whose topics take messages again, once those are settled that they follow;
   * returns whether there may be any.
   */
  public boolean release() {
    return releases.release();
  }

  /**
   * Exchanges news with other relays, and repeats probes that were lost. To be called every few
   * seconds by one thread while events are claimed; returns whether events were released.
   */
  public boolean exchange() {
    exchange.read().ifPresent(this::learn);
    Map<String, String> seen = new HashMap<>();
    topics.forEach(
        (topic, known) -> {
          if (known.isSeen()) {
            seen.put(topic, known.reason());
          }
        });
    exchange.report(seen);
    boolean released = releaseLostProbes();
    return releases.releaseAgain() || released;
  }

  private void learn(Contents contents) {
    Set<String> told = new HashSet<>();
    for (Entry entry : contents.topics()) {
      String topic = entry.topic();
      told.add(topic);
      if (!releases.hasRecovered(topic)) {
        UnavailableTopic known = topics.computeIfAbsent(topic, name -> lost(name, entry.reason()));
        if (known.learn(entry)) {
          log.warn(
              "events that wait for topic {} are given up by {}",
              LogText.line(topic),
              LogText.line(entry.givenUp()));
          releases.givenUp(topic);
        }
      }
    }
    // Another relay has found that these take messages, or nobody has confirmed that they do not.
    topics.forEach(
        (topic, known) -> {
          if (known.entry() != null && !told.contains(topic) && topics.remove(topic, known)) {
            regained(topic, known);
          }
        });
  }

  private boolean releaseLostProbes() {
    boolean released = false;
    for (Map.Entry<String, UnavailableTopic> each : Map.copyOf(topics).entrySet()) {
      String topic = each.getKey();
      UnavailableTopic known = each.getValue();
      if (!known.hasLostProbe(PROBE_LOST)) {
        continue;
      }
      known.probeAnew();
      if (releases.releaseProbe(topic)) {
        released = true;
      } else if (topics.remove(topic, known)) {
        log.info("no event waits for topic {} any more", LogText.line(topic));
        listener.topicRecovered(topic, known.lasting());
        exchange.over(topic);
      }
    }
    return released;
  }

  /** What is wrong with the topics, or null if there are none. */
  public @Nullable String reason() {
    return topics.isEmpty()
        ? null
        : "events wait: "
            + topics.values().stream()
                .map(UnavailableTopic::reason)
                .sorted()
                .collect(joining("; "));
  }
}
