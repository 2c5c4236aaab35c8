package dev.postcommit.spring;

import dev.postcommit.Event;
import dev.postcommit.EventType;
import dev.postcommit.PostcommitException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.core.Ordered;

/**
 * Enqueues published objects of classes with {@link EventType}, in the transaction of the
 * publisher. If the outbox refuses one, the publisher gets the exception.
 */
final class ApplicationEventListener
    implements ApplicationListener<PayloadApplicationEvent<?>>, Ordered {
  private final ObjectProvider<SpringOutbox> outboxes;

  /** Looks for the outbox when it is needed: listeners are created early. */
  ApplicationEventListener(ObjectProvider<SpringOutbox> outboxes) {
    this.outboxes = outboxes;
  }

  @Override
  public void onApplicationEvent(PayloadApplicationEvent<?> published) {
    Object payload = published.getPayload();
    if (payload.getClass().isAnnotationPresent(EventType.class)) {
      outboxFor(payload).enqueue(Event.of(payload));
    }
  }

  private SpringOutbox outboxFor(Object payload) {
    @Nullable SpringOutbox outbox = outboxes.getIfUnique();
    if (outbox == null) {
      throw new PostcommitException(
          "%s was published and has @EventType, but there is no outbox, or there are several and none is primary; configure a data source, or mark one bean of type SpringOutbox as @Primary"
              .formatted(payload.getClass().getName()));
    }
    return outbox;
  }

  /** In another thread there would be no transaction. */
  @Override
  public boolean supportsAsyncExecution() {
    return false;
  }

  /** Runs before all others: what they publish in response is written after it. */
  @Override
  public int getOrder() {
    return Ordered.HIGHEST_PRECEDENCE;
  }
}
