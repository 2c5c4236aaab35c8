/**
 * What handlers are given: {@link dev.postcommit.consumer.message.ReceivedEvent}, and the {@link
 * dev.postcommit.consumer.message.ReceivedMessage} that carried it.
 */
@NullMarked
package dev.postcommit.consumer.message;

import org.jspecify.annotations.NullMarked;
