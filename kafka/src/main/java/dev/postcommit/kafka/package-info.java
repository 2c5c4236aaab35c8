/**
 * Kafka as the broker. Start with {@link dev.postcommit.kafka.KafkaPublisher}, through which a
 * relay sends its messages. Reading them is the business of {@code dev.postcommit.kafka.consumer}.
 */
@NullMarked
package dev.postcommit.kafka;

import org.jspecify.annotations.NullMarked;
