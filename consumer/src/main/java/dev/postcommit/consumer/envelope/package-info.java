/**
 * Reading events from messages. Start at {@link dev.postcommit.consumer.envelope.EnvelopeReader}.
 */
@NullMarked
package dev.postcommit.consumer.envelope;

import org.jspecify.annotations.NullMarked;
