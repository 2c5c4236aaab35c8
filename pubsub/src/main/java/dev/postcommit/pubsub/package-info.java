/** Google Pub/Sub: a publisher for relays, and a consumer for inboxes. */
@NullMarked
package dev.postcommit.pubsub;

import org.jspecify.annotations.NullMarked;
