package dev.postcommit.consumer;

import dev.postcommit.consumer.inbox.Inbox;

/** The consumer with in-progress marks in Postgres. */
class MarkingJdbcConsumerIT extends JdbcConsumerContract {

  @Override
  Inbox inbox() {
    return Inbox.marking(store());
  }
}
