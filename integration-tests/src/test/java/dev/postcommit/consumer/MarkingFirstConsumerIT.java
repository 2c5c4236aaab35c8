package dev.postcommit.consumer;

import dev.postcommit.consumer.inbox.Inbox;
import java.time.Duration;

/** R42, the literal mode: one mark, set before the handler and deleted if it fails. */
class MarkingFirstConsumerIT extends RedisConsumerContract {

  @Override
  Inbox inbox() {
    return Inbox.markingFirst(store, Duration.ofDays(30));
  }
}
