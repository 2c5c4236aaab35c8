/**
 * What a scenario is made of. Implement {@link dev.postcommit.testkit.explorer.scenario.Scenario}
 * to explore code of your own; a {@link dev.postcommit.testkit.explorer.scenario.Stage} gives it
 * connections whose statements are steps.
 */
@NullMarked
package dev.postcommit.testkit.explorer.scenario;

import org.jspecify.annotations.NullMarked;
