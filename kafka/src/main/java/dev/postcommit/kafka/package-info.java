/**
 * Kafka as the broker. Start with {@link dev.postcommit.kafka.KafkaPublisher}, which a relay sends
 * its messages through.
 */
@NullMarked
package dev.postcommit.kafka;

import org.jspecify.annotations.NullMarked;
