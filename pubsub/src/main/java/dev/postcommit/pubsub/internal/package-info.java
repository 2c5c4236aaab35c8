/** Names and channels of Pub/Sub, shared by publisher and consumer. Not for users. */
@NullMarked
package dev.postcommit.pubsub.internal;

import org.jspecify.annotations.NullMarked;
