/**
 * Searches small scenarios for an order of steps that breaks a promise.
 *
 * <p>Start with {@link dev.postcommit.testkit.explorer.Explorer}. It plays a {@link
 * dev.postcommit.testkit.explorer.scenario.Scenario} under many schedules, on a real Postgres, one
 * step at a time. {@link dev.postcommit.testkit.explorer.Scenarios} lists the scenarios there are.
 * Of the subpackages, {@code outbox}, {@code log}, {@code relay} and {@code inbox} contain
 * scenarios and their actors; {@code scheduler} lets one actor go at a time; {@code gate} stops an
 * actor before each statement; {@code search} decides which actor goes next; {@code oracle} decides
 * whether a run kept the promises.
 */
@NullMarked
package dev.postcommit.testkit.explorer;

import org.jspecify.annotations.NullMarked;
