/**
 * Consuming events from Kafka, with the module {@code postcommit-consumer}. Start with {@link
 * dev.postcommit.kafka.consumer.KafkaEventConsumer}.
 */
@NullMarked
package dev.postcommit.kafka.consumer;

import org.jspecify.annotations.NullMarked;
