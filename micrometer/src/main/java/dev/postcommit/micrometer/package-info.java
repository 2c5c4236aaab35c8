/**
 * Metrics of relays and of their tables, in any registry of Micrometer. {@link
 * dev.postcommit.micrometer.RelayMetrics} tells what a relay does, {@link
 * dev.postcommit.micrometer.TableMetrics} how its table stands, and {@link
 * dev.postcommit.micrometer.PrometheusScrape} writes both for Prometheus under their exact names.
 */
@NullMarked
package dev.postcommit.micrometer;

import org.jspecify.annotations.NullMarked;
