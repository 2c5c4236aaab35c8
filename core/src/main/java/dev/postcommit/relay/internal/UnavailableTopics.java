package dev.postcommit.relay.internal;

import static java.util.stream.Collectors.joining;

import dev.postcommit.PostcommitException;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Delivery.HeldBack;
import dev.postcommit.relay.Delivery.TopicUnavailable;
import dev.postcommit.relay.Delivery.Unavailable;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.store.StoredEvent;
import dev.postcommit.store.internal.DeferredEvents;
import dev.postcommit.store.internal.TopicRegistry;
import dev.postcommit.store.internal.TopicRegistry.Contents;
import dev.postcommit.store.internal.TopicRegistry.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topics that take no messages at present, because they are missing or forbidden. Safe for use
 * by many threads.
 *
 * <p>An event for such a topic is written once, to be due in an hour, and is not sent. Only one
 * event, the probe, is due again within seconds and is sent. When a probe gets through, all events
 * that wait for the topic are made due at once. So it costs the other topics nothing how many
 * events wait.
 *
 * <p>Relays tell each other through a {@linkplain TopicRegistry table}, which also survives them:
 * without it, a relay that delivers the probe of one that was killed would not know that others
 * wait. The hour is for the case that all of this fails.
 */
final class UnavailableTopics {
  private static final Logger log = LoggerFactory.getLogger(UnavailableTopics.class);

  /** When an event that waits for a topic is due again, if nobody releases it before. */
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  /** The same while other relays do not know of the topic. */
  private static final Duration UNREGISTERED_WAIT = Duration.ofSeconds(10);

  private static final Duration SHORTEST_WAIT = Duration.ofSeconds(1);

  /** A probe that has not come back by so long after it was due was discarded, perhaps. */
  private static final long PROBE_LOST_NANOS = Duration.ofSeconds(10).toNanos();

  private static final long REGISTER_NANOS = Duration.ofSeconds(1).toNanos();

  /** How often it is tried again to use a registry that cannot be used. */
  private static final long SEARCH_NANOS = Duration.ofMinutes(1).toNanos();

  private final RelayListener listener;
  private final DeferredEvents events;
  private final TopicRegistry registry;
  private final Duration lease;
  private final @Nullable Duration giveUpAfter;
  private final Map<String, UnavailableTopic> topics = new ConcurrentHashMap<>();

  /** Topics whose events are released, and when that began; some are settled only later. */
  private final Map<String, Long> recovered = new ConcurrentHashMap<>();

  /** Topics that other relays are to be told of, as they take messages again. */
  private final Set<String> over = ConcurrentHashMap.newKeySet();

  private final AtomicBoolean releases = new AtomicBoolean();
  private final Map<String, Set<String>> givenUpKeys = new ConcurrentHashMap<>();
  private long triedToRegisterAt = System.nanoTime() - REGISTER_NANOS;
  private final Set<String> givenUp = new HashSet<>();
  private final Set<String> toldProblems = new HashSet<>();
  private @Nullable Long searchedAt;
  private boolean usable;

  /** The database's time when it was last asked, and our own at that moment. */
  private volatile @Nullable Clock clock;

  private record Clock(Instant database, long nanos) {
    Instant now() {
      return database.plusNanos(System.nanoTime() - nanos);
    }
  }

  UnavailableTopics(
      RelayListener listener,
      DeferredEvents events,
      TopicRegistry registry,
      Duration lease,
      @Nullable Duration giveUpAfter) {
    this.listener = listener;
    this.events = events;
    this.registry = registry;
    this.lease = lease;
    this.giveUpAfter = giveUpAfter;
  }

  /**
   * Why no message for a topic is sent now, or null if one is: the topic takes messages, or this
   * one is to probe it.
   */
  @Nullable Delivery refusal(String topic) {
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
  void answered(String topic, Delivery delivery, long sentAt) {
    if (delivery instanceof TopicUnavailable unavailable) {
      recovered.remove(topic);
      topics
          .computeIfAbsent(topic, name -> lost(name, unavailable.reason()))
          .failed(unavailable.reason());
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
      over.add(topic);
      regained(topic, known);
    }
  }

  private UnavailableTopic lost(String topic, String reason) {
    log.warn("topic {} takes no messages, so events for it wait: {}", topic, reason);
    listener.topicUnavailable(topic, reason);
    return new UnavailableTopic(reason);
  }

  private void regained(String topic, UnavailableTopic known) {
    Duration outage = known.lasting();
    log.info("topic {} takes messages again after {} s", topic, outage.toSeconds());
    listener.topicRecovered(topic, outage);
    recovered.put(topic, System.nanoTime());
    releases.set(true);
  }

  /** Why an event that waits for a topic is given up; empty if it waits on. */
  Optional<String> givenUp(String topic, StoredEvent event) {
    @Nullable UnavailableTopic known = topics.get(topic);
    @Nullable Entry entry = known == null ? null : known.entry();
    if (entry == null) {
      return Optional.empty();
    }
    @Nullable Instant givenUpAt = entry.givenUpAt();
    if (givenUpAt != null && !event.createdAt().isAfter(givenUpAt)) {
      return Optional.of("given up by " + entry.givenUp());
    }
    @Nullable Duration left = left(entry, event);
    return left != null && (left.isNegative() || left.isZero())
        ? Optional.of("gave up after " + giveUpAfter)
        : Optional.empty();
  }

  /** How long an event may still wait; null for ever. */
  private @Nullable Duration left(@Nullable Entry entry, StoredEvent event) {
    @Nullable Clock known = clock;
    if (giveUpAfter == null || entry == null || known == null) {
      return null;
    }
    Instant since = event.createdAt().isAfter(entry.since()) ? event.createdAt() : entry.since();
    return giveUpAfter.minus(Duration.between(since, known.now()));
  }

  /** When an event is due again that waits for a topic. */
  Duration delay(String topic, StoredEvent event) {
    @Nullable UnavailableTopic known = topics.get(topic);
    if (known == null) {
      return Duration.ZERO;
    }
    Optional<Duration> probe = known.nextProbe();
    if (probe.isPresent()) {
      return probe.get();
    }
    if (!known.isRegistered() && !register(topic, known)) {
      return UNREGISTERED_WAIT;
    }
    @Nullable Duration left = left(known.entry(), event);
    if (left == null || left.compareTo(LONGEST_WAIT) > 0) {
      return giveUpAfter == null || giveUpAfter.compareTo(LONGEST_WAIT) > 0
          ? LONGEST_WAIT
          : giveUpAfter;
    }
    return left.compareTo(SHORTEST_WAIT) < 0 ? SHORTEST_WAIT : left;
  }

  /**
   * Tells other relays of a topic before events are put off for long, lest nobody knows of them if
   * this relay is killed; returns whether that was possible.
   */
  private synchronized boolean register(String topic, UnavailableTopic known) {
    if (known.isRegistered()) {
      return true;
    }
    if (System.nanoTime() - triedToRegisterAt < REGISTER_NANOS) {
      return false;
    }
    triedToRegisterAt = System.nanoTime();
    try {
      registry.report(Map.of(topic, known.reason()));
      known.registered();
      return true;
    } catch (PostcommitException e) {
      log.debug("could not tell other relays of topic {}", topic, e);
      return false;
    }
  }

  /** Events were given up that others of their keys were to follow. */
  void gaveUp(String topic, Collection<String> keys) {
    givenUpKeys.computeIfAbsent(topic, name -> ConcurrentHashMap.newKeySet()).addAll(keys);
  }

  /**
   * Makes events due whose topics take messages again, after those were settled that are to follow
   * them; returns whether there were such topics.
   */
  boolean release() {
    boolean freed = freeKeys();
    if (!releases.compareAndSet(true, false)) {
      return freed;
    }
    for (String topic : recovered.keySet()) {
      try {
        long released = events.release(topic);
        if (released > 0) {
          log.info("{} events that waited for topic {} are due again", released, topic);
        }
      } catch (PostcommitException e) {
        releases.set(true);
        log.warn(
            "events that wait for topic {} could not be made due yet: {}", topic, e.getMessage());
      }
    }
    return true;
  }

  /** Makes events due that wait behind one that was given up. */
  private boolean freeKeys() {
    boolean any = false;
    for (String topic : Set.copyOf(givenUpKeys.keySet())) {
      @Nullable Set<String> keys = givenUpKeys.remove(topic);
      if (keys != null) {
        try {
          any |= events.releaseBehind(topic, keys) > 0;
        } catch (PostcommitException e) {
          gaveUp(topic, keys);
          log.warn(
              "events behind some that were given up could not be made due yet: {}",
              e.getMessage());
        }
      }
    }
    return any;
  }

  /**
   * Tells other relays, learns from them, and looks after probes that were lost. To be called every
   * few seconds, by one thread, while events are claimed.
   *
   * @return whether events were made due
   */
  boolean exchange() {
    boolean released = false;
    if (isUsable()) {
      for (String topic : Set.copyOf(over)) {
        registry.remove(topic);
        over.remove(topic);
      }
      learn(registry.read());
      report();
      for (String topic : Set.copyOf(givenUp)) {
        released |= events.release(topic) > 0;
        givenUp.remove(topic);
      }
    }
    released |= releaseLostProbes();
    // A relay that had not heard of it may have put off more of them.
    recovered.values().removeIf(at -> System.nanoTime() - at > lease.plusSeconds(5).toNanos());
    if (!recovered.isEmpty()) {
      releases.set(true);
      released |= release();
    }
    return released;
  }

  /** Whether the registry can be used; says once why it cannot. */
  private boolean isUsable() {
    boolean due = searchedAt == null || System.nanoTime() - searchedAt >= SEARCH_NANOS;
    if (!usable && due) {
      searchedAt = System.nanoTime();
      Optional<String> problem = registry.problem();
      usable = problem.isEmpty();
      problem.filter(toldProblems::add).ifPresent(log::info);
    }
    return usable;
  }

  private void report() {
    Map<String, String> own = new HashMap<>();
    topics.forEach(
        (topic, known) -> {
          if (known.isSeen()) {
            own.put(topic, known.reason());
          }
        });
    if (!own.isEmpty()) {
      registry.report(own);
      topics.forEach(
          (topic, known) -> {
            if (own.containsKey(topic)) {
              known.registered();
            }
          });
    }
  }

  private void learn(Contents contents) {
    clock = new Clock(contents.now(), System.nanoTime());
    Set<String> known = new HashSet<>();
    for (Entry entry : contents.topics()) {
      String topic = entry.topic();
      known.add(topic);
      if (recovered.containsKey(topic)) {
        continue;
      }
      UnavailableTopic mine = topics.computeIfAbsent(topic, name -> lost(name, entry.reason()));
      if (mine.learn(entry)) {
        log.warn("events that wait for topic {} are given up by {}", topic, entry.givenUp());
        givenUp.add(topic);
      }
    }
    // Another relay has found that these take messages, or nobody has confirmed that they do not.
    topics.forEach(
        (topic, mine) -> {
          if (mine.entry() != null && !known.contains(topic) && topics.remove(topic, mine)) {
            regained(topic, mine);
          }
        });
  }

  private boolean releaseLostProbes() {
    boolean released = false;
    for (Map.Entry<String, UnavailableTopic> each : Map.copyOf(topics).entrySet()) {
      UnavailableTopic topic = each.getValue();
      if (!topic.hasLostProbe(PROBE_LOST_NANOS)) {
        continue;
      }
      topic.probeAnew();
      if (events.release(each.getKey(), 1) > 0) {
        released = true;
      } else if (topics.remove(each.getKey(), topic)) {
        log.info("no event waits for topic {} any more", each.getKey());
        listener.topicRecovered(each.getKey(), topic.lasting());
        over.add(each.getKey());
      }
    }
    return released;
  }

  /** What is wrong with the topics, or null if there are none. */
  @Nullable String reason() {
    return topics.isEmpty()
        ? null
        : "events wait: "
            + topics.values().stream()
                .map(UnavailableTopic::reason)
                .sorted()
                .collect(joining("; "));
  }
}
