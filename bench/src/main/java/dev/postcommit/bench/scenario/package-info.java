/**
 * What is measured, one class per scenario. Start with {@link
 * dev.postcommit.bench.scenario.Scenario} and {@link dev.postcommit.bench.scenario.Scenarios}.
 */
@NullMarked
package dev.postcommit.bench.scenario;

import org.jspecify.annotations.NullMarked;
