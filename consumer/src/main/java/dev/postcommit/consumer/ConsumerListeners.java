package dev.postcommit.consumer;

import dev.postcommit.consumer.ConsumerListener.Handling;
import dev.postcommit.consumer.message.ReceivedEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners of a consumer; what they throw is logged and otherwise ignored. */
final class ConsumerListeners {
  private static final Logger log = LoggerFactory.getLogger(ConsumerListeners.class);

  private final List<ConsumerListener> listeners;

  ConsumerListeners(List<ConsumerListener> listeners) {
    this.listeners = List.copyOf(listeners);
  }

  /** Tells all of them. */
  void tell(Consumer<ConsumerListener> what) {
    for (ConsumerListener listener : listeners) {
      guarded(() -> what.accept(listener));
    }
  }

  private static void guarded(Runnable what) {
    try {
      what.run();
    } catch (RuntimeException e) {
      log.warn("a consumer's listener failed", e);
    }
  }

  /** The first to hear of a call is the last to hear of its end, so that spans are nested. */
  Handling handling(ReceivedEvent<?> event, int attempt) {
    if (listeners.isEmpty()) {
      return Handling.IGNORED;
    }
    Deque<Handling> handlings = new ArrayDeque<>(listeners.size());
    tell(to -> handlings.push(to.handling(event, attempt)));
    return error -> handlings.forEach(each -> guarded(() -> each.ended(error)));
  }
}
