package dev.postcommit.testkit.pubsub.engine;

import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.ReceivedMessage;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one subscription that are not acknowledged, and who has which of them.
 *
 * <p>A lane that nobody holds goes to whichever consumer takes more, and from then on, while any
 * message of it is outstanding, to that one alone. One lock guards all of it, and messages are
 * handed over under it: so a consumer sees them in the order in which they were taken, and a
 * message that is given back is never overtaken by one that follows it.
 */
final class Backlog {

  private static final int BATCH = 1_000;
  private static final int BATCH_BYTES = 1_000_000;

  /** How long a consumer that is gone can still answer for what it has. */
  private static final long GRACE = TimeUnit.SECONDS.toNanos(1);

  private final String id;
  private final boolean ordered;
  private final ScheduledExecutorService timer;

  private final Map<String, Lane> lanes = new HashMap<>();
  private final LaneQueue free = new LaneQueue();
  private final List<Consumer> consumers = new ArrayList<>();
  private final Map<String, Lease> leases = new HashMap<>();
  private final TreeSet<Lease> deadlines = new TreeSet<>(Lease.BY_DEADLINE);
  private long deliveries;
  private @Nullable ScheduledFuture<?> alarm;
  private long alarmTime;
  private @Nullable StatusRuntimeException closed;

  /**
   * An empty backlog.
   *
   * @param id begins its ack ids; no other backlog has the same
   */
  Backlog(String id, boolean ordered, ScheduledExecutorService timer) {
    this.id = id;
    this.ordered = ordered;
    this.timer = timer;
  }

  synchronized void publish(List<PubsubMessage> messages) {
    for (PubsubMessage message : messages) {
      String key = ordered ? message.getOrderingKey() : "";
      Lane lane = key.isEmpty() ? new Lane(key) : lanes.computeIfAbsent(key, Lane::new);
      lane.add(new Item(message, lane));
      settle(lane);
    }
    send();
  }

  synchronized void join(Consumer consumer) {
    if (closed != null) {
      consumer.fail(closed);
      return;
    }
    consumers.add(consumer);
    send();
  }

  /**
   * Says that {@code consumer} is gone. What it has goes out again after a second, in which it can
   * still acknowledge it or ask for more time: so does a client that ends in good order, which
   * closes its stream first.
   */
  synchronized void leave(Consumer consumer) {
    consumer.finish();
    consumers.remove(consumer);
    long soon = System.nanoTime() + GRACE;
    for (Lease lease : List.copyOf(consumer.leases)) {
      if (lease.deadline - soon > 0) {
        extend(lease, soon);
      }
    }
    send();
  }

  /** Ends a consumer that made a mistake. */
  synchronized void expel(Consumer consumer, StatusRuntimeException reason) {
    consumer.fail(reason);
    leave(consumer);
  }

  /** Answers a pull that need not wait any longer; does nothing if it is answered. */
  synchronized void dismiss(PullCall call) {
    consumers.remove(call);
    call.send(List.of());
  }

  /** Says that a consumer may take more than before. */
  synchronized void wake() {
    send();
  }

  /** Ids that are unknown, or no longer valid, are ignored. */
  synchronized void acknowledge(List<String> ackIds) {
    for (String ackId : ackIds) {
      Lease lease = leases.get(ackId);
      if (lease != null) {
        end(lease);
        lease.item.lane.drop();
        settle(lease.item.lane);
      }
    }
    send();
  }

  /**
   * Ids that are unknown, or no longer valid, are ignored. Zero seconds give a message back.
   *
   * @param seconds as many as ids
   */
  synchronized void modifyAckDeadlines(List<String> ackIds, List<Integer> seconds) {
    long now = System.nanoTime();
    for (int i = 0; i < ackIds.size(); i++) {
      Lease lease = leases.get(ackIds.get(i));
      if (lease == null) {
        continue;
      }
      if (seconds.get(i) == 0) {
        giveBack(lease);
      } else {
        extend(lease, now + TimeUnit.SECONDS.toNanos(seconds.get(i)));
      }
    }
    send();
  }

  /** Ends all consumers, and those that join later. */
  synchronized void close(StatusRuntimeException reason) {
    closed = reason;
    List.copyOf(consumers).forEach(consumer -> consumer.fail(reason));
    consumers.clear();
    if (alarm != null) {
      alarm.cancel(false);
    }
  }

  private synchronized void expire() {
    alarm = null;
    long now = System.nanoTime();
    while (!deadlines.isEmpty() && deadlines.first().deadline - now <= 0) {
      giveBack(deadlines.first());
    }
    send();
  }

  /** Puts a message and all of its key that went out after it back: their leases end. */
  private void giveBack(Lease lease) {
    Lane lane = lease.item.lane;
    lane.rewind(
        lease.item,
        item -> {
          if (item.lease != null) {
            end(item.lease);
          }
        });
    settle(lane);
  }

  /** Sends what can be sent, in turns, and sees to it that leases run out in time. */
  private void send() {
    boolean sent = true;
    while (sent && closed == null) {
      sent = false;
      List<Consumer> turn = consumers.stream().filter(Consumer::takesMore).toList();
      int share = turn.isEmpty() ? 0 : (free.size() + turn.size() - 1) / turn.size();
      for (Consumer consumer : turn) {
        List<ReceivedMessage> batch = batch(consumer, share);
        if (!batch.isEmpty()) {
          consumer.send(batch);
          sent = true;
          // Whoever was served is last next time.
          consumers.remove(consumer);
          if (!consumer.isOver()) {
            consumers.add(consumer);
          }
        }
      }
    }
    arm();
  }

  /** Takes from lanes that nobody holds, {@code share} at most, and from the consumer's in turn. */
  private List<ReceivedMessage> batch(Consumer consumer, int share) {
    List<ReceivedMessage> batch = new ArrayList<>();
    long bytes = 0;
    int taken = 0;
    while (batch.size() < BATCH && bytes < BATCH_BYTES && consumer.takesMore()) {
      boolean mayTake = taken < share && !free.isEmpty();
      boolean holds = !consumer.lanes.isEmpty();
      if (!mayTake && !holds) {
        break;
      }
      boolean take = mayTake && (!holds || batch.size() % 2 == 0);
      taken += take ? 1 : 0;
      Lane lane = take ? free.poll() : consumer.lanes.poll();
      Item item = lane.take(consumer);
      settle(lane);
      bytes += item.size();
      batch.add(
          ReceivedMessage.newBuilder()
              .setAckId(lease(item, consumer).ackId)
              .setMessage(item.message)
              .build());
    }
    return batch;
  }

  private Lease lease(Item item, Consumer consumer) {
    long number = ++deliveries;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(consumer.ackDeadlineSeconds());
    Lease lease = new Lease(number, id + "-" + number, item, consumer, deadline);
    item.lease = lease;
    leases.put(lease.ackId, lease);
    deadlines.add(lease);
    consumer.leases.add(lease);
    consumer.outstandingBytes += item.size();
    return lease;
  }

  private void extend(Lease lease, long deadline) {
    deadlines.remove(lease);
    lease.deadline = deadline;
    deadlines.add(lease);
  }

  private void end(Lease lease) {
    lease.item.lease = null;
    leases.remove(lease.ackId);
    deadlines.remove(lease);
    lease.consumer.leases.remove(lease);
    lease.consumer.outstandingBytes -= lease.item.size();
  }

  /** Puts a lane where it is served, or nowhere if it has nothing to send. */
  private void settle(Lane lane) {
    Consumer holder = lane.holder();
    LaneQueue queue = lane.queue;
    if (!lane.hasWaiting()) {
      if (queue != null) {
        queue.remove(lane);
      }
      if (lane.isEmpty() && !lane.key.isEmpty()) {
        lanes.remove(lane.key);
      }
      return;
    }
    LaneQueue right = holder == null ? free : holder.lanes;
    if (queue != right) {
      if (queue != null) {
        queue.remove(lane);
      }
      right.add(lane);
    }
  }

  private void arm() {
    if (deadlines.isEmpty() || closed != null) {
      return;
    }
    long next = deadlines.first().deadline;
    if (alarm != null) {
      if (alarmTime - next <= 0) {
        return;
      }
      alarm.cancel(false);
    }
    alarmTime = next;
    alarm =
        timer.schedule(this::expire, Math.max(0, next - System.nanoTime()), TimeUnit.NANOSECONDS);
  }
}
