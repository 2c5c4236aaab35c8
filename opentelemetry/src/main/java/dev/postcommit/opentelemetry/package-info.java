/**
 * Traces from the transaction that wrote an event to its consumers: {@link
 * dev.postcommit.opentelemetry.TracingOutbox} writes, {@link
 * dev.postcommit.opentelemetry.RelayTracing} sends, {@link
 * dev.postcommit.opentelemetry.ConsumerTracing} handles.
 */
@NullMarked
package dev.postcommit.opentelemetry;

import org.jspecify.annotations.NullMarked;
