package dev.postcommit.bench.gruelbox;

/** What the outbox is to call for each event. */
interface Publisher {

  /** Sends an event; returns when it is safe with the broker. */
  void publish(String key, String body) throws Exception;
}
