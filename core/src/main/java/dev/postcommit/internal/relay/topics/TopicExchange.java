package dev.postcommit.internal.relay.topics;

import dev.postcommit.PostcommitException;
import dev.postcommit.internal.store.TopicRegistry;
import dev.postcommit.internal.store.TopicRegistry.Contents;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What relays tell each other of topics that take no messages. Safe for use by many threads; what
 * is said of one thread is for that of the relay's presence.
 */
public final class TopicExchange {
  private static final Logger log = LoggerFactory.getLogger(TopicExchange.class);

  private static final long REGISTER_NANOS = Duration.ofSeconds(1).toNanos();

  /** How often it is tried again to use a registry that cannot be used. */
  private static final long SEARCH_NANOS = Duration.ofMinutes(1).toNanos();

  private final TopicRegistry registry;
  private final Set<String> over = ConcurrentHashMap.newKeySet();
  private final Set<String> toldProblems = new HashSet<>();
  private long registeredAt = System.nanoTime() - REGISTER_NANOS;
  private @Nullable Long searchedAt;
  private boolean usable;

  /** The database's time when it was last asked, and our own at that moment. */
  private volatile @Nullable Clock clock;

  private record Clock(Instant database, long nanos) {}

  public TopicExchange(TopicRegistry registry) {
    this.registry = registry;
  }

  /** The database's time; null if it is not known. */
  @Nullable Instant now() {
    @Nullable Clock last = clock;
    return last == null ? null : last.database().plusNanos(System.nanoTime() - last.nanos());
  }

  /**
   * Reports a topic at once, before events are deferred for long, so that they are known of if this
   * relay is killed; returns whether that was possible.
   */
  synchronized boolean register(String topic, String reason) {
    if (System.nanoTime() - registeredAt < REGISTER_NANOS) {
      return false;
    }
    try {
      registry.report(Map.of(topic, reason));
      return true;
    } catch (PostcommitException e) {
      registeredAt = System.nanoTime();
      log.debug("could not tell other relays of topic {}", topic, e);
      return false;
    }
  }

  /** A topic is to be told of no more. */
  void over(String topic) {
    over.add(topic);
  }

  /** What all relays tell, or empty if that cannot be known. For one thread. */
  Optional<Contents> read() {
    if (!isUsable()) {
      return Optional.empty();
    }
    for (String topic : Set.copyOf(over)) {
      registry.remove(topic);
      over.remove(topic);
    }
    Contents contents = registry.read();
    clock = new Clock(contents.now(), System.nanoTime());
    return Optional.of(contents);
  }

  /** Reports topics that this relay has seen to take no messages. For one thread. */
  void report(Map<String, String> reasons) {
    if (!reasons.isEmpty()) {
      registry.report(reasons);
    }
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
}
