/**
 * Scenarios on a log, with its cursor in the table or at a broker. Start with {@link
 * dev.postcommit.testkit.explorer.log.LogScenario}.
 */
@NullMarked
package dev.postcommit.testkit.explorer.log;

import org.jspecify.annotations.NullMarked;
