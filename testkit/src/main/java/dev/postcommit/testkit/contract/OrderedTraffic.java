package dev.postcommit.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.Delivery.Delivered;
import dev.postcommit.relay.Message;
import dev.postcommit.relay.Publisher;
import dev.postcommit.relay.Publisher.Handover;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntFunction;

/**
 * Senders that do as a relay does: each hands over bursts of several keys without waiting, and then
 * sends again what failed, in order, before anything later of that key.
 */
public final class OrderedTraffic implements AutoCloseable {
  private static final int SENDERS = 3;
  private static final int KEYS = 4;
  private static final int RUN = 30;
  private static final int BODY = 300;

  private final Publisher publisher;
  private final String topic;
  private final ExecutorService threads = Executors.newFixedThreadPool(SENDERS);
  private final List<Future<?>> senders = new ArrayList<>();
  private final AtomicLong delivered = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final ReadWriteLock handingOver = new ReentrantReadWriteLock();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private long deliveredBefore;
  private long failedBefore;

  /** Starts to send to a topic, until it is stopped or closed. */
  public OrderedTraffic(Publisher publisher, String topic) {
    this.publisher = publisher;
    this.topic = topic;
    for (int i = 0; i < SENDERS; i++) {
      int sender = i;
      senders.add(threads.submit(() -> run(sender)));
    }
  }

  private void run(int sender) {
    int[] next = new int[KEYS];
    while (!isStopped()) {
      boolean failure = false;
      List<Run> burst = burst(sender, next);
      for (int key = 0; key < KEYS; key++) {
        int length = deliveredInOrder(burst.get(key));
        next[key] += length;
        failure |= length < burst.get(key).sent.size();
      }
      if (failure) {
        awaitReady();
      }
    }
  }

  private List<Run> burst(int sender, int[] next) {
    List<Run> runs = new ArrayList<>();
    for (int key = 0; key < KEYS; key++) {
      runs.add(new Run());
    }
    handingOver.readLock().lock();
    try (Handover handover = publisher.handover()) {
      for (int i = 0; i < RUN && !pause(); i++) {
        for (int key = 0; key < KEYS; key++) {
          if (!runs.get(key).stopped) {
            runs.get(key).add(handover.send(message(sender + "-" + key, next[key] + i)));
          }
        }
      }
    } finally {
      handingOver.readLock().unlock();
    }
    return runs;
  }

  /** Spreads a burst over many batches, so that they run out of time one after the other. */
  private boolean pause() {
    try {
      return stopped.await(5, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private boolean isStopped() {
    return stopped.getCount() == 0;
  }

  private void awaitReady() {
    boolean ready = false;
    while (!ready && !isStopped()) {
      handingOver.writeLock().lock();
      try {
        ready = publisher.problem().isEmpty();
      } finally {
        handingOver.writeLock().unlock();
      }
      pause();
    }
  }

  /** The length of the delivered part of a run, after which nothing may be delivered. */
  private int deliveredInOrder(Run run) {
    int length = 0;
    boolean stop = false;
    for (CompletableFuture<Delivery> each : run.sent) {
      long limit = publisher.deliveryTimeout().toMillis();
      boolean success = each.orTimeout(limit, TimeUnit.MILLISECONDS).join() instanceof Delivered;
      assertThat(success && stop).as("delivered after one that failed").isFalse();
      stop |= !success;
      length += success ? 1 : 0;
      (success ? delivered : failed).incrementAndGet();
    }
    return length;
  }

  /** Messages of one key, handed over until one is known to have failed. */
  private static final class Run {
    private final List<CompletableFuture<Delivery>> sent = new ArrayList<>();
    private volatile boolean stopped;

    void add(CompletionStage<Delivery> message) {
      CompletableFuture<Delivery> outcome = message.toCompletableFuture();
      sent.add(outcome);
      var unused =
          outcome.thenAccept(
              delivery -> {
                if (!(delivery instanceof Delivered)) {
                  stopped = true;
                }
              });
    }
  }

  private Message message(String key, int number) {
    byte[] body = ByteBuffer.allocate(BODY).putInt(number).array();
    return new Message(topic, key, Map.of(), body);
  }

  /** Whether messages were delivered since the last call. */
  public boolean isFlowing() {
    assertThat(senders).as("senders").noneMatch(Future::isDone);
    long now = delivered.get();
    boolean flowing = now > deliveredBefore + SENDERS * KEYS * RUN;
    if (flowing) {
      deliveredBefore = now;
      failedBefore = failed.get();
    }
    return flowing;
  }

  /** Whether messages failed since they were last seen to flow. */
  public boolean isInterrupted() {
    assertThat(senders).as("senders").noneMatch(Future::isDone);
    boolean interrupted = failed.get() > failedBefore;
    deliveredBefore = delivered.get();
    return interrupted;
  }

  /**
   * Stops, and checks that the first deliveries of each key arrived in order, none missing, and
   * that some messages failed.
   *
   * @param arrivals reads at least so many messages of the topic, and all there are
   */
  public void stopAndCheck(IntFunction<List<Message>> arrivals) {
    stopAndCheckOrder(arrivals);
    assertThat(failed.get()).isPositive();
  }

  /**
   * Stops, and checks that the first deliveries of each key arrived in order, none missing.
   *
   * @param arrivals reads at least so many messages of the topic, and all there are
   */
  public void stopAndCheckOrder(IntFunction<List<Message>> arrivals) {
    stopped.countDown();
    for (Future<?> sender : senders) {
      assertThat(sender).succeedsWithin(publisher.deliveryTimeout());
    }
    Map<String, Integer> last = new HashMap<>();
    List<Message> messages = arrivals.apply((int) delivered.get());
    for (Message message : messages) {
      int number = ByteBuffer.wrap(message.body()).getInt();
      int before = last.getOrDefault(message.key(), -1);
      assertThat(number)
          .as("number of %s after %d", message.key(), before)
          .isBetween(0, before + 1);
      last.put(message.key(), Math.max(number, before));
    }
    long distinct = last.values().stream().mapToLong(number -> number + 1).sum();
    assertThat(distinct).isBetween(delivered.get(), (long) messages.size());
  }

  @Override
  public void close() {
    stopped.countDown();
    threads.shutdownNow();
  }
}
