/** Topics that cannot be sent to for now, and the events that wait for them. */
@NullMarked
package dev.postcommit.internal.relay.topics;

import org.jspecify.annotations.NullMarked;
