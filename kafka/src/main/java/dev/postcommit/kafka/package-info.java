/** Kafka as the broker: publishing events to it and consuming them from it. */
@NullMarked
package dev.postcommit.kafka;

import org.jspecify.annotations.NullMarked;
