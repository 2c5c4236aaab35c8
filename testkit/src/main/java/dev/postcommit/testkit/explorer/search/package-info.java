/**
 * Decides which actor goes next: every schedule in turn, random ones, or one given by its number.
 * Start with {@link dev.postcommit.testkit.explorer.search.Strategy}.
 */
@NullMarked
package dev.postcommit.testkit.explorer.search;

import org.jspecify.annotations.NullMarked;
