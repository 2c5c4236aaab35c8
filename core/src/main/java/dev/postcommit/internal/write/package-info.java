/** Writes events: the INSERT statements behind {@link dev.postcommit.Outbox}. */
@NullMarked
package dev.postcommit.internal.write;

import org.jspecify.annotations.NullMarked;
