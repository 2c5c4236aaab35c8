package dev.postcommit.testkit.explorer.log;

import dev.postcommit.internal.store.Checkpoints;
import dev.postcommit.testkit.explorer.scenario.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A broker with transactions, as Kafka's are: the newest producer fences the older ones, and what a
 * transaction sent becomes visible at its commit, together with the checkpoint that it recorded.
 */
public final class ModelBroker {
  private static final String CHANNEL = "broker";

  /** What becomes of requests. */
  enum State {
    UP,
    /** Nothing is done. */
    DOWN,
    /** Commits are made, and nobody is told. */
    MUTE
  }

  private final Consumer<String> arrivals;
  private final Consumer<String> recorded;
  private final List<String> order = new ArrayList<>();
  private @Nullable String checkpoint;
  private long epoch;
  private volatile State state = State.UP;

  /**
   * A broker that has nothing.
   *
   * @param arrivals is told the ids of events that are visible now
   * @param recorded is told the checkpoints
   */
  ModelBroker(Consumer<String> arrivals, Consumer<String> recorded) {
    this.arrivals = arrivals;
    this.recorded = recorded;
  }

  void is(State next) {
    state = next;
  }

  /** The ids of events that can be read, in order. */
  synchronized List<String> visible() {
    return List.copyOf(order);
  }

  private synchronized long fence() {
    return ++epoch;
  }

  private synchronized @Nullable String checkpoint() {
    return checkpoint;
  }

  /** Commits; returns whether the producer was not fenced. */
  private synchronized boolean commit(long producer, List<String> ids, String next) {
    if (producer != epoch) {
      return false;
    }
    for (String id : ids) {
      order.add(id);
      arrivals.accept(id);
    }
    checkpoint = next;
    recorded.accept(next);
    return true;
  }

  /** How a producer deviates from what it should do: to show what a fault would do. */
  public enum Fault {
    NONE,
    /** The checkpoint is read before the older producers are fenced. */
    READS_BEFORE_FENCING,
    /** Older producers are not fenced at all. */
    NEVER_FENCES,
    /** The checkpoint of the broker is not used. */
    FORGETS_CHECKPOINTS,
    /** A commit that is not answered counts as done. */
    TAKES_SILENCE_FOR_SUCCESS
  }

  /** The producer of one relay. */
  final class Producer implements Checkpoints {
    private final Supplier<Stage.Role> self;
    private final Fault fault;
    private long mine = -1;

    /**
     * A producer.
     *
     * @param self whose steps its requests are
     */
    Producer(Supplier<Stage.Role> self, Fault fault) {
      this.self = self;
      this.fault = fault;
    }

    @Override
    public Optional<Begun> begin() {
      @Nullable String early = null;
      if (fault == Fault.READS_BEFORE_FENCING) {
        self.get().step(CHANNEL, "read the checkpoint");
        early = checkpoint();
      }
      if (fault != Fault.NEVER_FENCES) {
        self.get().step(CHANNEL, "begin: fence older producers");
        if (state != State.UP) {
          return Optional.empty();
        }
        mine = fence();
      } else {
        mine = epoch;
      }
      if (fault == Fault.READS_BEFORE_FENCING) {
        return Optional.of(new Begun(early));
      }
      self.get().step(CHANNEL, "read the checkpoint");
      if (state != State.UP) {
        return Optional.empty();
      }
      return Optional.of(new Begun(fault == Fault.FORGETS_CHECKPOINTS ? null : checkpoint()));
    }

    @Override
    public boolean record(Supplier<String> next) {
      return deliver(List.of(), next);
    }

    /** Delivers events and records a checkpoint, all or nothing; returns whether that is known. */
    boolean deliver(List<String> ids, Supplier<String> next) {
      String recorded = next.get();
      self.get().step(CHANNEL, "commit " + ids.size() + " messages and a checkpoint");
      State now = state;
      boolean isDone = now != State.DOWN && commit(mine, ids, recorded);
      return fault == Fault.TAKES_SILENCE_FOR_SUCCESS || (isDone && now == State.UP);
    }
  }
}
