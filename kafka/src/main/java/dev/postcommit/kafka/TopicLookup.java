package dev.postcommit.kafka;

import java.util.concurrent.CompletionStage;

/** Asks the cluster about topics. */
@FunctionalInterface
interface TopicLookup {

  /** The cluster's answer about a topic. */
  enum Answer {
    /** It exists, and nothing is known against writing to it. */
    WRITABLE,
    /** It may not be written to; it may not even exist. */
    FORBIDDEN,
    /** It does not exist, and using it does not create it. */
    MISSING,
    /** It does not exist; a producer that asks for it may cause the brokers to create it. */
    CREATABLE
  }

  /** Asks for a topic; fails with Kafka's exception if there is no answer. */
  CompletionStage<Answer> ask(String topic);
}
