/**
 * Kafka as the broker. Start with {@link dev.postcommit.kafka.KafkaPublisher}, which a relay sends
 * its messages through, or with {@link dev.postcommit.kafka.KafkaEventConsumer}, which reads them.
 */
@NullMarked
package dev.postcommit.kafka;

import org.jspecify.annotations.NullMarked;
