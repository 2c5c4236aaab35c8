package dev.postcommit.store;

import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which dead events are meant: those that satisfy every part that is set.
 *
 * @param ids events of these ids, or null for any; what cannot be an id of the table matches none
 * @param type events of this type, or null for any
 * @param topic events recorded for this topic, or null for any
 * @param key events of this key, or null for any
 * @param error events whose last error contains this text, or null for any
 * @param writtenFrom events written at this time or later, or null for any
 * @param writtenBefore events written before this time, or null for any
 */
public record DeadFilter(
    @Nullable Set<String> ids,
    @Nullable String type,
    @Nullable String topic,
    @Nullable String key,
    @Nullable String error,
    @Nullable Instant writtenFrom,
    @Nullable Instant writtenBefore) {

  /** Keeps its own copy of the ids. */
  public DeadFilter {
    ids = ids == null ? null : Set.copyOf(ids);
  }

  /** All dead events. */
  public static DeadFilter all() {
    return new DeadFilter(null, null, null, null, null, null, null);
  }

  /** The dead events of these ids. */
  public static DeadFilter ids(Collection<String> ids) {
    return new DeadFilter(new LinkedHashSet<>(ids), null, null, null, null, null, null);
  }

  /** This filter with other ids. */
  public DeadFilter withIds(Collection<String> others) {
    return new DeadFilter(
        new LinkedHashSet<>(others), type, topic, key, error, writtenFrom, writtenBefore);
  }
}
