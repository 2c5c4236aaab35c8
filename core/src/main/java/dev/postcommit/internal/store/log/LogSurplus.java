package dev.postcommit.internal.store.log;

import dev.postcommit.store.StoredEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Stubs of rows that were read, but whose keys have enough other rows waiting: they are loaded
 * again when they are needed. Rows of such a key that wait with their payloads come before its
 * stubs. A stub is little more than a number, so a key with very many rows does not keep others
 * from being read.
 */
final class LogSurplus {
  /** How much memory the numbers may take, in numbers: at most a twentieth of the heap. */
  private static final long MOST =
      Math.min(Runtime.getRuntime().maxMemory() / 20 / Long.BYTES, 2_000_000);

  private static final int AT_ONCE = 2_000;

  /** What is kept of a row: see {@link LogEntry}. */
  record Stub(long page, long seq, LogCursor before) {
    /** The order in which rows were read. */
    static final Comparator<Stub> IN_ORDER =
        Comparator.comparingLong(Stub::page).thenComparingLong(Stub::seq);

    LogEntry entry(StoredEvent event) {
      return new LogEntry(event, page, seq, before);
    }
  }

  /** Rows of one key and one page: their numbers, and what they have in common. */
  private static final class Run {
    /** The memory that a run takes besides its numbers, in numbers. */
    private static final int WEIGHT = 16;

    private final long page;
    private final LogCursor beforeFirst;
    private final LogCursor beforeOthers;
    private final long[] seqs;
    private int next;

    Run(List<Stub> stubs) {
      this.page = stubs.get(0).page();
      this.beforeFirst = stubs.get(0).before();
      this.beforeOthers = stubs.get(stubs.size() - 1).before();
      this.seqs = stubs.stream().mapToLong(Stub::seq).toArray();
    }

    int weight() {
      return WEIGHT + seqs.length;
    }

    /** Skips these numbers, as far as they come next; returns whether none is left. */
    boolean skip(Set<Long> of) {
      while (next < seqs.length && of.contains(seqs[next])) {
        next++;
      }
      return next == seqs.length;
    }

    Stub stub(int i) {
      return new Stub(page, seqs[i], i == 0 ? beforeFirst : before(seqs[i]));
    }

    /** Numbers in between belong to no row of the window. */
    private LogCursor before(long seq) {
      LogCursor any = beforeOthers;
      return new LogCursor(any.floor(), any.seen(), any.upto(), seq - 1);
    }
  }

  private final Map<String, Deque<Run>> runs = new HashMap<>();
  private long weight;

  void clear() {
    runs.clear();
    weight = 0;
  }

  boolean isEmpty() {
    return runs.isEmpty();
  }

  boolean has(@Nullable String key) {
    return key != null && runs.containsKey(key);
  }

  Set<String> keys() {
    return runs.keySet();
  }

  /** Whether it takes so much memory that nothing more should be read. */
  boolean isFull() {
    return weight >= MOST;
  }

  /** Adds stubs of a key that come after, or before, all others of that key. */
  void add(String key, List<Stub> stubs, boolean first) {
    Deque<Run> all = runs.computeIfAbsent(key, same -> new ArrayDeque<>());
    List<Run> added = new ArrayList<>();
    int from = 0;
    for (int to = 1; to <= stubs.size(); to++) {
      if (to == stubs.size() || stubs.get(to).page() != stubs.get(from).page()) {
        added.add(new Run(stubs.subList(from, to)));
        from = to;
      }
    }
    added.forEach(run -> weight += run.weight());
    if (first) {
      for (int i = added.size() - 1; i >= 0; i--) {
        all.addFirst(added.get(i));
      }
    } else {
      all.addAll(added);
    }
  }

  /** The first stubs of a key, up to {@code most}. */
  private List<Stub> first(String key, int most) {
    List<Stub> stubs = new ArrayList<>();
    for (Run run : runs.getOrDefault(key, new ArrayDeque<>())) {
      for (int i = run.next; i < run.seqs.length && stubs.size() < most; i++) {
        stubs.add(run.stub(i));
      }
    }
    return stubs;
  }

  /** The first stubs of some keys, as many as one statement takes. */
  List<Stub> some(Predicate<String> keys) {
    List<Stub> stubs = new ArrayList<>();
    for (String key : runs.keySet()) {
      if (stubs.size() < AT_ONCE && keys.test(key)) {
        stubs.addAll(first(key, AT_ONCE - stubs.size()));
      }
    }
    return stubs;
  }

  /** The stubs that were read first, up to a number for each key and {@code most} in all. */
  List<Stub> next(ToIntFunction<String> ofKey, int most) {
    List<Stub> stubs = new ArrayList<>();
    for (String key : runs.keySet()) {
      stubs.addAll(first(key, Math.min(ofKey.applyAsInt(key), most)));
    }
    stubs.sort(Stub.IN_ORDER);
    return stubs.size() > most ? stubs.subList(0, most) : stubs;
  }

  /** Removes stubs with these numbers, from the first of each key to the first that is not one. */
  void removeFirst(Set<Long> seqs) {
    runs.values().removeIf(all -> isEmptied(all, seqs));
  }

  private boolean isEmptied(Deque<Run> all, Set<Long> seqs) {
    while (!all.isEmpty() && all.getFirst().skip(seqs)) {
      weight -= all.removeFirst().weight();
    }
    return all.isEmpty();
  }

  /** Whether all of these are the first of their keys. */
  boolean beginsWith(List<Stub> stubs) {
    Set<Stub> left = new HashSet<>(stubs);
    for (Deque<Run> all : runs.values()) {
      removeFirst(left, all);
    }
    return left.isEmpty();
  }

  private static void removeFirst(Set<Stub> stubs, Deque<Run> from) {
    for (Run run : from) {
      for (int i = run.next; i < run.seqs.length; i++) {
        if (!stubs.remove(run.stub(i))) {
          return;
        }
      }
    }
  }

  /** The stub of the row that was read first; null if there is none. */
  @Nullable Stub first() {
    @Nullable Stub first = null;
    for (Deque<Run> all : runs.values()) {
      Run run = all.getFirst();
      Stub stub = run.stub(run.next);
      first = first == null || Stub.IN_ORDER.compare(stub, first) < 0 ? stub : first;
    }
    return first;
  }
}
