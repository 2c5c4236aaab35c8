/** Metrics of relays and tables; {@link dev.postcommit.micrometer.RelayMetrics} comes first. */
@NullMarked
package dev.postcommit.micrometer;

import org.jspecify.annotations.NullMarked;
