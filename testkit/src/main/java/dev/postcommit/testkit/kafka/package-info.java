/**
 * A real Kafka: one broker, {@link dev.postcommit.testkit.kafka.KafkaServer}, or three, {@link
 * dev.postcommit.testkit.kafka.KafkaCluster}. {@link dev.postcommit.testkit.kafka.KafkaReader}
 * reads a topic.
 */
@NullMarked
package dev.postcommit.testkit.kafka;

import org.jspecify.annotations.NullMarked;
