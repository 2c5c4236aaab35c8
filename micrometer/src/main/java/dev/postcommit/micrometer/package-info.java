/**
 * Metrics of relays and their tables, in any Micrometer registry. {@link
 * dev.postcommit.micrometer.RelayMetrics} records what a relay does, {@link
 * dev.postcommit.micrometer.TableMetrics} the state of its table, and {@link
 * dev.postcommit.micrometer.PrometheusScrape} writes both for Prometheus under their exact names.
 */
@NullMarked
package dev.postcommit.micrometer;

import org.jspecify.annotations.NullMarked;
