/** Runs Mini Chat. Start at {@link dev.postcommit.examples.minichat.Main}. */
@NullMarked
package dev.postcommit.examples.minichat;

import org.jspecify.annotations.NullMarked;
