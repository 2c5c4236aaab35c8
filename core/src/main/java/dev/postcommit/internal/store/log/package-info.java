/** A log that is read behind a cursor, and never updated. */
@NullMarked
package dev.postcommit.internal.store.log;

import org.jspecify.annotations.NullMarked;
