/**
 * Listing and replaying the messages of a dead-letter topic in Kafka, with the module {@code
 * postcommit-consumer}. Start with {@link dev.postcommit.kafka.deadletter.KafkaDeadLetters}.
 */
@NullMarked
package dev.postcommit.kafka.deadletter;

import org.jspecify.annotations.NullMarked;
