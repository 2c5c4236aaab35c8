/**
 * Messages that a consumer gave up on. Start at {@link
 * dev.postcommit.consumer.deadletter.DeadLetter}, which is sent to a dead-letter topic; {@link
 * dev.postcommit.consumer.deadletter.DeadLetterContent} reads it again.
 */
@NullMarked
package dev.postcommit.consumer.deadletter;

import org.jspecify.annotations.NullMarked;
