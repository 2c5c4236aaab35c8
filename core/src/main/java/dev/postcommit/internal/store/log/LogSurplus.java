package dev.postcommit.internal.store.log;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The places of rows that were read, and of whose keys enough others wait: they are read again when
 * their turn comes. Of such a key, all that waits with its payload comes before what is here. A
 * place is little more than a number, so that a key with very many rows need not keep others from
 * being read.
 */
final class LogSurplus {

  /** A place that is to be read again. */
  record Place(long page, long seq, LogCursor before) {
    /** The order in which rows were read. */
    static final Comparator<Place> IN_ORDER =
        Comparator.comparingLong(Place::page).thenComparingLong(Place::seq);

    /** Whether it was read before a row. */
    boolean isBefore(long otherPage, long otherSeq) {
      return page < otherPage || (page == otherPage && seq < otherSeq);
    }
  }

  /** Rows of one key and of one page, which are a run of numbers and what they have in common. */
  private static final class Run {
    /** What a run weighs besides its numbers, in numbers. */
    private static final int WEIGHT = 16;

    private final long page;
    private final LogCursor beforeFirst;
    private final LogCursor beforeOthers;
    private final long[] seqs;
    private int next;

    Run(List<Place> places) {
      this.page = places.get(0).page();
      this.beforeFirst = places.get(0).before();
      this.beforeOthers = places.get(places.size() - 1).before();
      this.seqs = places.stream().mapToLong(Place::seq).toArray();
    }

    int weight() {
      return WEIGHT + seqs.length;
    }

    boolean isEmpty() {
      return next == seqs.length;
    }

    Place place(int i) {
      return new Place(page, seqs[i], i == 0 ? beforeFirst : before(seqs[i]));
    }

    /** There may be numbers in between, but none of them is that of a row of the window. */
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

  /** What all of it takes in memory, in numbers. */
  long weight() {
    return weight;
  }

  /** Adds places of a key that come after all others of it, or before them. */
  void add(String key, List<Place> places, boolean first) {
    Deque<Run> all = runs.computeIfAbsent(key, same -> new ArrayDeque<>());
    List<Run> added = new ArrayList<>();
    int from = 0;
    for (int to = 1; to <= places.size(); to++) {
      if (to == places.size() || places.get(to).page() != places.get(from).page()) {
        added.add(new Run(places.subList(from, to)));
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

  /** The first places of a key, up to a number. */
  List<Place> first(String key, int most) {
    List<Place> places = new ArrayList<>();
    for (Run run : runs.getOrDefault(key, new ArrayDeque<>())) {
      for (int i = run.next; i < run.seqs.length && places.size() < most; i++) {
        places.add(run.place(i));
      }
    }
    return places;
  }

  /** Gives up the first places of a key. */
  void remove(String key, int count) {
    Deque<Run> all = runs.getOrDefault(key, new ArrayDeque<>());
    int left = count;
    while (left > 0 && !all.isEmpty()) {
      Run run = all.getFirst();
      int removed = Math.min(left, run.seqs.length - run.next);
      run.next += removed;
      left -= removed;
      if (run.isEmpty()) {
        all.removeFirst();
        weight -= run.weight();
      }
    }
    if (all.isEmpty()) {
      runs.remove(key);
    }
  }

  /** Gives up those of these numbers that come first of their keys. */
  void removeFirst(Set<Long> seqs) {
    for (String key : List.copyOf(runs.keySet())) {
      remove(key, countFirst(key, seqs));
    }
  }

  /** Whether these are the first of their keys, all of them. */
  boolean beginsWith(List<Place> places) {
    Set<Place> left = new HashSet<>(places);
    for (Deque<Run> all : runs.values()) {
      removeFirst(left, all);
    }
    return left.isEmpty();
  }

  private static void removeFirst(Set<Place> places, Deque<Run> from) {
    for (Run run : from) {
      for (int i = run.next; i < run.seqs.length; i++) {
        if (!places.remove(run.place(i))) {
          return;
        }
      }
    }
  }

  private int countFirst(String key, Set<Long> seqs) {
    int count = 0;
    for (Run run : runs.getOrDefault(key, new ArrayDeque<>())) {
      for (int i = run.next; i < run.seqs.length; i++, count++) {
        if (!seqs.contains(run.seqs[i])) {
          return count;
        }
      }
    }
    return count;
  }

  /** The place that was read first; null if there is none. */
  @Nullable Place first() {
    @Nullable Place first = null;
    for (Deque<Run> all : runs.values()) {
      Run run = all.getFirst();
      Place place = run.place(run.next);
      first = first == null || place.isBefore(first.page(), first.seq()) ? place : first;
    }
    return first;
  }
}
