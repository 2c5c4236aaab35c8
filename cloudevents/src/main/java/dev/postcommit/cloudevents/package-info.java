/**
 * Sends events as CloudEvents 1.0. Start at {@link dev.postcommit.cloudevents.CloudEventsEnvelope}.
 */
@NullMarked
package dev.postcommit.cloudevents;

import org.jspecify.annotations.NullMarked;
