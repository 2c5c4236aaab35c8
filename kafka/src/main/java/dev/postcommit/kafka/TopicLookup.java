package dev.postcommit.kafka;

import java.util.concurrent.CompletionStage;

/** Asks the cluster about topics. */
@FunctionalInterface
interface TopicLookup {

  /** What the cluster says of a topic. */
  enum Answer {
    /** It is there, and nothing is known against writing to it. */
    WRITABLE,
    /** It may not be written to; whether it is there may not be ours to know. */
    FORBIDDEN,
    /** It is not there, and using it does not create it. */
    MISSING,
    /** It is not there; a producer that asks for it may make the brokers create it. */
    CREATABLE
  }

  /** Asks for a topic; fails with Kafka's exception if the cluster does not say. */
  CompletionStage<Answer> ask(String topic);
}
