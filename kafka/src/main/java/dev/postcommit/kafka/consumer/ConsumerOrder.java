package dev.postcommit.kafka.consumer;

/**
 * The ordering key of messages: a {@link KafkaEventConsumer} handles those with equal keys in
 * order.
 */
public enum ConsumerOrder {
  /**
   * The partition. A message that is to be retried holds back its partition. More threads than
   * partitions are of no use.
   */
  PARTITION,
  /**
   * The message's key within its partition. A message that is to be retried holds back its own key.
   * Messages without a key have no order.
   */
  KEY
}
