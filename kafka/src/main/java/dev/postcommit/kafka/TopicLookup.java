package dev.postcommit.kafka;

import java.util.concurrent.CompletionStage;

/** Asks the cluster about topics. */
@FunctionalInterface
interface TopicLookup {
  /** Whether a topic exists; fails with Kafka's exception if the cluster does not say. */
  CompletionStage<Boolean> exists(String topic);
}
