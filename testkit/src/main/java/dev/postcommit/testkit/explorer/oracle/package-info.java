/**
 * Decides whether a run kept the promises. Start with {@link
 * dev.postcommit.testkit.explorer.oracle.History}.
 */
@NullMarked
package dev.postcommit.testkit.explorer.oracle;

import org.jspecify.annotations.NullMarked;
