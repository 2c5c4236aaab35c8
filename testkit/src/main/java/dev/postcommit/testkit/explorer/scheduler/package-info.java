/** Runs one actor at a time. Start with {@link dev.postcommit.testkit.explorer.scheduler.Run}. */
@NullMarked
package dev.postcommit.testkit.explorer.scheduler;

import org.jspecify.annotations.NullMarked;
