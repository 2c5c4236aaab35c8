/**
 * What the consumers of all brokers share: lanes that handle messages one after the other. Not for
 * users.
 */
@NullMarked
package dev.postcommit.consumer.internal;

import org.jspecify.annotations.NullMarked;
