/**
 * Plays small scenarios in every order, to find the one that breaks a promise. Start with {@link
 * dev.postcommit.testkit.explorer.Explorer} and {@link
 * dev.postcommit.testkit.explorer.OutboxScenario}.
 */
@NullMarked
package dev.postcommit.testkit.explorer;

import org.jspecify.annotations.NullMarked;
