package dev.postcommit.kafka;

/** Which messages a {@link KafkaEventConsumer} handles one after the other. */
public enum ConsumerOrder {
  /**
   * Those of a partition. An event that is to be retried holds back the partition; no more threads
   * are of use than there are partitions.
   */
  PARTITION,
  /**
   * Those of a partition that have the same key. An event that is to be retried holds back its own
   * key. Messages without a key have no order.
   */
  KEY
}
