package dev.postcommit.consumer;

import dev.postcommit.consumer.inbox.Inbox;

/** The consumer whose handlers run in transactions. */
class TransactionalContractIT extends JdbcConsumerContract {

  @Override
  Inbox inbox() {
    return Inbox.transactional(store());
  }
}
