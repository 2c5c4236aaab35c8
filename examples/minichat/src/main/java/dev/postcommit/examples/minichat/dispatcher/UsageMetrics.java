package dev.postcommit.examples.minichat.dispatcher;

import dev.postcommit.examples.minichat.chat.Finalised;
import dev.postcommit.relay.Delivery;
import dev.postcommit.relay.RelayListener;
import dev.postcommit.store.StoredEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/** Counts usage events on their way in and out. Safe for use by many threads. */
public final class UsageMetrics implements RelayListener {
  private final Counter written;
  private final Counter alreadyEnqueued;
  private final Counter success;
  private final Counter retry;
  private final Counter reject;

  /** Counters in {@code registry}. */
  public UsageMetrics(MeterRegistry registry) {
    written = counter(registry, "mini_chat_outbox_enqueue_total", "written");
    alreadyEnqueued = counter(registry, "mini_chat_outbox_enqueue_total", "already_enqueued");
    success = counter(registry, "mini_chat_outbox_handler_total", "success");
    retry = counter(registry, "mini_chat_outbox_handler_total", "retry");
    reject = counter(registry, "mini_chat_outbox_handler_total", "reject");
  }

  private static Counter counter(MeterRegistry registry, String name, String result) {
    return Counter.builder(name).tags("kind", "usage", "result", result).register(registry);
  }

  /** Counts what became of an attempt to finalise a turn; one that enqueued nothing counts not. */
  public void finalised(Finalised result) {
    if (result instanceof Finalised.Settled) {
      written.increment();
    } else if (result instanceof Finalised.AlreadyEnqueued) {
      alreadyEnqueued.increment();
    }
  }

  @Override
  public void answered(StoredEvent event, Delivery delivery, Duration took) {
    if (delivery instanceof Delivery.Delivered) {
      success.increment();
    }
  }

  @Override
  public void retrying(StoredEvent event, String reason, Duration delay) {
    retry.increment();
  }

  @Override
  public void dead(StoredEvent event, String reason) {
    reject.increment();
  }
}
