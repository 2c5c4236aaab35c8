/**
 * Google Pub/Sub: a server in the JVM of the test, {@link
 * dev.postcommit.testkit.pubsub.PubSubServer}, and a proxy for faults, {@link
 * dev.postcommit.testkit.pubsub.PubSubProxy}. {@link dev.postcommit.testkit.pubsub.PubSubReader}
 * reads a subscription.
 */
@NullMarked
package dev.postcommit.testkit.pubsub;

import org.jspecify.annotations.NullMarked;
