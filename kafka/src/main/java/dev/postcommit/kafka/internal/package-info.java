/**
 * Settings and errors of Kafka's clients, shared by publisher, consumer and dead letters. Not for
 * users. {@link dev.postcommit.kafka.internal.DeliveryClassifier} has the table of errors.
 */
@NullMarked
package dev.postcommit.kafka.internal;

import org.jspecify.annotations.NullMarked;
