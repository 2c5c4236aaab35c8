/**
 * Connections that stop an actor before each statement until the scheduler lets it go. Start with
 * {@link dev.postcommit.testkit.explorer.gate.GatedConnection}.
 */
@NullMarked
package dev.postcommit.testkit.explorer.gate;

import org.jspecify.annotations.NullMarked;
