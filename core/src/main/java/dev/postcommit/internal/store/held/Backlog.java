package dev.postcommit.internal.store.held;

import dev.postcommit.Ordering;
import dev.postcommit.store.ClaimRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The events that were due when the table was last listed, less those taken since. Not safe for use
 * by several threads.
 *
 * <p>A table need not have an index in the order of writing, so the backlog is listed once for many
 * claims. The list grows stale, which is harmless: what is taken from it is locked and checked
 * again before it is used. An event is taken only if every earlier one of its key in the list was
 * taken and settled for good; once one was not, the key is closed, and the next listing finds its
 * events again. What is not in the list was written later.
 */
final class Backlog {

  /**
   * An event of the list.
   *
   * @param bytes what the payload takes in memory, or if that is not known, where it is stored
   * @param isCompressed whether that is not known
   * @param due when it was due, in seconds; events of different keys are taken in this order
   */
  record Candidate(String id, @Nullable String key, long bytes, boolean isCompressed, double due) {

    Candidate withBytes(long size) {
      return new Candidate(id, key, size, false, due);
    }
  }

  private final ClaimRequest request;
  private final boolean ordered;
  private final List<@Nullable Candidate> candidates;
  private final Set<String> closedKeys = new HashSet<>();
  private int head;

  /**
   * The backlog as listed for a request.
   *
   * @param written the events in the order of writing
   */
  Backlog(ClaimRequest request, List<Candidate> written) {
    this.request = request;
    this.ordered = request.ordering() == Ordering.PER_KEY;
    this.candidates = new ArrayList<>(byDueTime(written));
  }

  /** In the order of their due times, but those of one key in the order of writing. */
  private static List<Candidate> byDueTime(List<Candidate> written) {
    List<Candidate> sorted = new ArrayList<>(written);
    sorted.sort(Comparator.comparingDouble(Candidate::due));
    if (sorted.equals(written)) {
      return written;
    }
    Map<String, Queue<Candidate>> byKey = new HashMap<>();
    for (Candidate candidate : written) {
      if (candidate.key() != null) {
        byKey.computeIfAbsent(candidate.key(), key -> new ArrayDeque<>()).add(candidate);
      }
    }
    sorted.replaceAll(
        candidate -> {
          Queue<Candidate> run = candidate.key() == null ? null : byKey.get(candidate.key());
          return run == null ? candidate : run.remove();
        });
    return sorted;
  }

  /** Whether a claim may take from this list. */
  boolean serves(ClaimRequest other) {
    return areAlike(request, other);
  }

  /** Whether claims may take from the same list. */
  static boolean areAlike(ClaimRequest one, ClaimRequest other) {
    return one.ordering() == other.ordering()
        && Objects.equals(one.namespace(), other.namespace())
        && Objects.equals(one.tenant(), other.tenant());
  }

  /** Whether nothing is left in the list. */
  boolean isUsedUp() {
    while (head < candidates.size()) {
      Candidate first = candidates.get(head);
      if (first != null && !isClosed(first)) {
        return false;
      }
      head++;
    }
    return true;
  }

  /** The keys of what is left in the list, which may include null. */
  Set<@Nullable String> keysLeft() {
    Set<@Nullable String> left = new HashSet<>();
    for (Candidate candidate : candidates.subList(head, candidates.size())) {
      if (candidate != null && !isClosed(candidate)) {
        left.add(candidate.key());
      }
    }
    return left;
  }

  /** Takes the next events whose keys are free, up to the size of a batch. */
  List<Candidate> take(ClaimRequest claim, Set<String> busyKeys) {
    List<Candidate> taken = new ArrayList<>();
    for (int i : next(claim, busyKeys)) {
      taken.add(Objects.requireNonNull(candidates.set(i, null)));
    }
    return taken;
  }

  /** The ids of those of the next events whose size in memory is not known. */
  List<String> unmeasured(ClaimRequest claim, Set<String> busyKeys) {
    return next(claim, busyKeys).stream()
        .map(i -> Objects.requireNonNull(candidates.get(i)))
        .filter(Candidate::isCompressed)
        .map(Candidate::id)
        .toList();
  }

  /** These are the sizes of events in memory. */
  void measured(Map<String, Long> sizes) {
    int missing = sizes.size();
    for (int i = head; i < candidates.size() && missing > 0; i++) {
      @Nullable Candidate candidate = candidates.get(i);
      @Nullable Long size = candidate == null ? null : sizes.get(candidate.id());
      if (candidate != null && size != null) {
        candidates.set(i, candidate.withBytes(size));
        missing--;
      }
    }
  }

  /** The indexes in the list of the next events whose keys are free, up to the size of a batch. */
  private List<Integer> next(ClaimRequest claim, Set<String> busyKeys) {
    List<Integer> next = new ArrayList<>();
    long bytes = 0;
    for (int i = head; i < candidates.size(); i++) {
      if (next.size() == claim.batchSize() || bytes >= claim.batchBytes()) {
        break;
      }
      @Nullable Candidate candidate = candidates.get(i);
      if (candidate == null || isClosed(candidate)) {
        candidates.set(i, null);
      } else if (!ordered || candidate.key() == null || !busyKeys.contains(candidate.key())) {
        next.add(i);
        bytes += candidate.bytes();
      }
    }
    return next;
  }

  private boolean isClosed(Candidate candidate) {
    return ordered && candidate.key() != null && closedKeys.contains(candidate.key());
  }

  /** Gives out no more events of a key; null is no key. */
  void close(@Nullable String key) {
    if (key != null) {
      closedKeys.add(key);
    }
  }
}
