/** Traces; {@link dev.postcommit.opentelemetry.RelayTracing} comes first. */
@NullMarked
package dev.postcommit.opentelemetry;

import org.jspecify.annotations.NullMarked;
