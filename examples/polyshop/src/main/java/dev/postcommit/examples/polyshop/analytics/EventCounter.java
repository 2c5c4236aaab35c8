package dev.postcommit.examples.polyshop.analytics;

import dev.postcommit.examples.polyshop.common.Subscriber;
import dev.postcommit.examples.polyshop.common.Subscriptions;
import dev.postcommit.examples.polyshop.events.Topics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Counts every event of the shop, each once. */
@Component
class EventCounter implements Subscriber {
  private static final Logger log = LoggerFactory.getLogger(EventCounter.class);

  private final EventCounts counts;

  EventCounter(EventCounts counts) {
    this.counts = counts;
  }

  @Override
  public void subscribe(Subscriptions subscriptions) {
    for (String topic : Topics.ALL) {
      subscriptions.on(topic, String.class, event -> count(event.type()));
    }
  }

  private void count(String eventType) {
    EventCount count =
        counts.findByEventType(eventType).orElseGet(() -> counts.save(new EventCount(eventType)));
    log.info("number {} of {}", count.countOneMore(), eventType);
  }
}
