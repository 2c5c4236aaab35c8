/**
 * PackFinderz, small and runnable: licenses change, and whom it concerns is notified. Start with
 * {@link dev.postcommit.examples.packfinderz.Main}.
 */
@NullMarked
package dev.postcommit.examples.packfinderz;

import org.jspecify.annotations.NullMarked;
