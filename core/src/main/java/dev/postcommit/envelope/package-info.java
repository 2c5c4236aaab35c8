/** How an event becomes a message. Start at {@link dev.postcommit.envelope.Envelope}. */
@NullMarked
package dev.postcommit.envelope;

import org.jspecify.annotations.NullMarked;
